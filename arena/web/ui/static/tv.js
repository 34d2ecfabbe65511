// Arena TV: show each position when its time comes.  The server says when that is, so that all viewers see the same;
// without this script the page shows the position of its moment and asks again from time to time.
// The start page has the board alone, at a fixed height: it is drawn as large as it fits.
const AGAIN_MS = 5000;
const LARGEST = 0.9;
const WIDTHS = [420, 500, 600, 720, 860, 1000];
let tv = document.querySelector("[data-tv]");
let loaded = performance.now();
let timer = null;
let paused = false;
let lowest = 0; // the height of the tallest board so far: what is below does not jump
const ahead = new Map(); // point → promise of its board

const frame = () => tv.querySelector("[data-board]");
const shown = () => JSON.parse(tv.dataset.shown);
const since = () => performance.now() - loaded;
const isSmall = () => Boolean(tv.dataset.source);
const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, AGAIN_MS / 10));

function fetchBoard(point) {
  if (!ahead.has(point)) {
    const answer = fetch(`${tv.dataset.address}/board?point=${point}`).then((found) => (found.ok ? found.text() : Promise.reject(found)));
    answer.catch(() => ahead.delete(point));
    ahead.set(point, answer);
  }
  return ahead.get(point);
}

// Lay a board out at the width at which it is the largest that fits its frame; a match keeps the size of its largest position.
// Each width that is tried costs a layout of the board, which is most of the start page's work: where it is too high it is tried
// wider, else narrower, and not where even one that fills the frame's width would be smaller.
function fit() {
  const box = frame();
  const board = box.firstElementChild;
  const lay = (wide, size) => { board.style.setProperty("--wide", `${wide}px`); board.style.setProperty("--size", size); };
  const most = (wide) => Math.min(LARGEST, box.clientWidth / wide);
  const highest = () => box.clientHeight / board.offsetHeight;
  let { wide, size } = tv.dataset;
  if (wide) {
    lay(wide, size);
    size = Math.min(size, most(wide), highest());
  } else {
    const drawn = board.offsetWidth;
    let rest = WIDTHS;
    size = 0;
    for (let at = drawn; at; at = rest[rest.length >> 1]) {
      if (at !== drawn) lay(at, 1);
      const high = highest();
      if (Math.min(most(at), high) > size) { size = Math.min(most(at), high); wide = at; }
      rest = rest.filter((each) => (high < most(at) ? each > at : each < at) && most(each) > size);
    }
    if (wide !== drawn) box.replaceChildren(board); // drawn anew at its width, not moved there
  }
  lay(wide, size);
  Object.assign(tv.dataset, { wide, size });
}

function keepHeight() {
  if (isSmall()) { fit(); return; }
  lowest = Math.max(lowest, frame().offsetHeight);
  frame().style.minHeight = `${lowest}px`;
}

async function show(point) {
  const mine = tv;
  const html = await fetchBoard(point);
  if (mine !== tv || paused) return;
  frame().innerHTML = html;
  keepHeight();
  tv.querySelector("[data-where]").textContent = point;
  const final = shown().length - 1;
  tv.querySelector("[data-open]").href = `${tv.dataset.address}?point=${Math.min(point + 1, final)}#board`;
  ahead.delete(point - 1);
}

// The style sheets of a game whose board was not shown here before.
async function loadSheets(addresses) {
  const missing = addresses.filter((each) => !document.querySelector(`link[href="${each}"]`));
  await Promise.all(missing.map((href) => new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: resolve, onerror: resolve });
    document.head.append(link);
  })));
}

// The match is the one that is shown: only its times are set, and the board where another is due.
function keepUp(next) {
  Object.assign(tv.dataset, { shown: next.dataset.shown, over: next.dataset.over });
  loaded = performance.now();
  const point = (each) => each.querySelector(".position").dataset.point;
  if (point(next) === point(tv)) return;
  for (const part of ["[data-board]", "[data-where]"]) tv.querySelector(part).replaceChildren(...next.querySelector(part).childNodes);
  tv.querySelector("[data-open]").href = next.querySelector("[data-open]").href;
  keepHeight();
}

async function change() {
  const answer = await fetch(tv.dataset.source ?? location.href, { cache: "no-store" });
  if (!answer.ok) throw answer;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.querySelector("[data-tv]");
  if (!next) throw answer;
  if (isSmall() && next.dataset.address === tv.dataset.address) { keepUp(next); return; }
  if (next.dataset.sheets) await loadSheets(next.dataset.sheets.split(" "));
  ahead.clear();
  const focused = tv.contains(document.activeElement);
  tv.replaceWith(next);
  tv = next;
  loaded = performance.now();
  ready();
  if (focused) tv.querySelector("[data-pause]").focus({ preventScroll: true });
}

function wait() {
  clearTimeout(timer);
  if (paused) return;
  const times = shown();
  const next = times.findIndex((at) => at > since());
  const due = next < 0 ? Number(tv.dataset.over) : times[next];
  if (next >= 0) fetchBoard(next).catch(() => {});
  timer = setTimeout(async () => {
    try {
      if (next < 0) await change();
      else await show(Math.max(times.findLastIndex((at) => at <= since()), next));
    } catch { timer = setTimeout(wait, AGAIN_MS); return; }
    wait();
  }, Math.max(due - since(), 0));
}

// Whoever has paused, or was away, comes back to what is on now.
async function catchUp() {
  clearTimeout(timer);
  try { await change(); } catch { /* the next step tries again */ }
  wait();
}

function ready() {
  keepHeight();
  const button = tv.querySelector("[data-pause]");
  button.hidden = false;
  button.addEventListener("click", () => {
    paused = !paused;
    button.textContent = paused ? button.dataset.resume : button.dataset.pause;
    if (paused) clearTimeout(timer); else catchUp();
  });
  if (paused) button.textContent = button.dataset.resume;
}

if (tv) {
  paused = isSmall() && matchMedia("(prefers-reduced-motion: reduce)").matches;
  ready();
  wait();
  // The page may come from a cache: what is on now is asked for once the page can be used.
  if (isSmall()) window.addEventListener("load", () => idle(() => { if (!paused) catchUp(); }));
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !paused) catchUp(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted && !paused) catchUp(); });
  // The bars of a phone's browser come and go, which changes the window and not the frame.
  let width = frame().clientWidth;
  window.addEventListener("resize", () => {
    if (frame().clientWidth === width) return;
    width = frame().clientWidth;
    lowest = 0;
    delete tv.dataset.wide;
    frame().style.minHeight = "";
    keepHeight();
  });
}
