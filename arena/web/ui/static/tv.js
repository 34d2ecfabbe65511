// Arena TV: show each position when its time comes.  The server says when that is, so that all viewers see the same;
// without this script the page shows the position of its moment and asks again from time to time.
// The start page has the board alone, at a fixed height: it shows as much of the table as fits.
const AGAIN_MS = 5000;
const SIZES = ["whole", "whole tight", "bare", "bare tight"]; // styles of small_board.css, the largest first
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

// Show as much of the table as fits its frame; a match keeps the size of its largest position.
function fit() {
  const box = frame();
  for (const size of SIZES.slice(Math.max(SIZES.indexOf(tv.dataset.size), 0))) {
    box.className = `small-board ${size}`;
    tv.dataset.size = size;
    if (box.scrollHeight <= box.clientHeight + 1) return;
  }
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
    delete tv.dataset.size;
    frame().style.minHeight = "";
    keepHeight();
  });
}
