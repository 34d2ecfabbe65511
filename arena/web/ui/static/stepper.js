// The match page: step through a match without leaving the page.  Without this script every step is a link.
const board = document.querySelector("#board");
const steps = document.querySelector(".steps");
let chart = document.querySelector("[data-chart]");
const status = document.querySelector("[data-status]");
const frame = board.querySelector("[data-board]");
const playButton = board.querySelector("[data-step=play]");
const speed = board.querySelector("[data-speed]");
const PLAY_MS = 1000;
const KEPT = 80; // boards in memory
const boards = new Map(); // address → promise of a board's HTML, the oldest first
const final = Number(board.dataset.final);
let asked = 0;
let timer = null;
let motion = null; // what moves and sounds, once it is there: stepping does not wait for it

const position = () => frame.querySelector(".position").dataset;
const stop = () => position().stop; // a point, "12", or the score sheet of what ended there, "12s"
const view = () => position().view;
const near = () => position().near.split(" "); // the stops before and after, the parts before and after
const query = (at, eye) => `?point=${parseInt(at, 10)}${String(at).endsWith("s") ? "&sheet=1" : ""}${eye === "all" ? "" : `&view=${eye}`}`;

// A page that is a file brings all its boards with it, packed.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

const packed = document.querySelector("[data-boards]");
const unpacked = packed && unpack(packed.textContent);

function load(at, eye) {
  if (unpacked) return unpacked.then((all) => all[query(at, eye)]);
  const address = `${board.dataset.address}/board${query(at, eye)}`;
  if (!boards.has(address)) {
    if (boards.size >= KEPT) boards.delete(boards.keys().next().value);
    const answer = fetch(address).then((found) => (found.ok ? found.text() : Promise.reject(found)));
    answer.catch(() => boards.delete(address));
    boards.set(address, answer);
  }
  return boards.get(address);
}

// Fetch what is likely to be asked for next, so that stepping does not wait.
function prefetch() {
  const { point } = position();
  const [back, forward, partBack, partForward] = near();
  const later = [2, 3].map((by) => Number(point) + by).filter((at) => at <= final).slice(0, timer ? 2 : 1);
  const likely = timer ? [forward, ...later] : [forward, back, ...later, partForward, partBack];
  for (const at of likely) if (String(at) !== stop()) load(at, view()).catch(() => {});
}

function mark() {
  const focused = steps.contains(document.activeElement);
  for (const link of steps.querySelectorAll("[aria-current]")) { link.removeAttribute("aria-current"); link.tabIndex = -1; }
  const link = steps.querySelector(`[data-step][data-point="${stop()}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "true");
  link.tabIndex = 0;
  if (focused) link.focus({ preventScroll: true });
  const box = steps.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < box.top + 60 || at.bottom > box.bottom) steps.scrollTop += at.top - box.top - box.height / 2;
}

// Let the controls point at the neighbours of the board that is shown.
function pointControls() {
  const here = position();
  const at = stop();
  const [back, forward, partBack, partForward] = near();
  const targets = { first: 0, "part-back": partBack, back, forward, "part-forward": partForward, last: final };
  for (const [name, to] of Object.entries(targets)) {
    const link = board.querySelector(`[data-step="${name}"]`);
    link.dataset.point = to;
    const usable = String(to) !== at;
    link.toggleAttribute("href", usable);
    if (usable) { link.href = `${board.dataset.address}${query(to, view())}#board`; link.removeAttribute("aria-disabled"); } else link.setAttribute("aria-disabled", "true");
  }
  board.querySelector("[data-where]").textContent = here.point;
  board.querySelector("span[data-here]").textContent = here.here;
  board.querySelector("[data-jump]").selectedIndex = 0;
  for (const link of board.querySelectorAll("[data-link]")) link.href = `${board.dataset.address}${query(at, view())}#board`;
  for (const link of board.querySelectorAll("[data-eye]")) {
    link.href = `${board.dataset.address}${query(at, link.dataset.eye)}#board`;
    link.toggleAttribute("aria-current", link.dataset.eye === here.view);
    if (link.dataset.eye === here.view) link.setAttribute("aria-current", "true");
  }
}

// The chart shows the match as far as it is watched.
function moveChart() {
  if (!chart) return;
  const x = (1000 * Number(position().point)) / final;
  chart.querySelector("[data-shown]").setAttribute("width", x);
  for (const line of chart.querySelectorAll("[data-now]")) line.setAttribute("transform", `translate(${x})`);
  const at = Number(position().point);
  const moments = chart.dataset.moments.split(" ").filter(Boolean).map(Number);
  const next = { back: moments.filter((each) => each < at).pop(), forward: moments.find((each) => each > at) };
  for (const link of chart.querySelectorAll("[data-key]")) {
    const to = next[link.dataset.key];
    if (to === undefined) { link.removeAttribute("href"); delete link.dataset.point; link.setAttribute("aria-disabled", "true"); } else { link.href = `${board.dataset.address}${query(to, view())}#board`; link.dataset.point = to; link.removeAttribute("aria-disabled"); }
  }
  for (const dot of chart.querySelectorAll("[data-dot]")) dot.classList.toggle("later-dot", Number(dot.dataset.dot) > at);
  for (const link of chart.querySelectorAll("a[data-point]")) link.href = `${board.dataset.address}${query(link.dataset.point, view())}#board`;
}

// What the step brought, in words alone.
function sayings() {
  const said = frame.querySelector(".told").cloneNode(true);
  for (const notation of said.querySelectorAll("code")) notation.remove();
  return said.textContent.replace(/\s+/g, " ").trim();
}

async function go(at, eye = view()) {
  asked += 1;
  const mine = asked;
  let html;
  try { html = await load(at, eye); } catch { halt(); return false; }
  if (mine !== asked) return false;
  const isNext = eye === view() && near().slice(0, 2).includes(String(at)) && String(at) !== stop();
  const before = isNext ? motion?.placesOf(frame) : null;
  // A step that is lower than the one before it does not pull up what is below.
  frame.style.minHeight = `${frame.offsetHeight}px`;
  const open = [...frame.querySelectorAll("details[data-keep][open]")].map((each) => each.dataset.keep);
  frame.innerHTML = html;
  for (const name of open) frame.querySelector(`[data-keep="${name}"]`)?.setAttribute("open", "");
  if (before) { motion.glide(frame, before); motion.play(String(at).endsWith("s")); }
  pointControls();
  moveChart();
  mark();
  if (!timer) status.textContent = `${position().point} / ${final}: ${sayings()}`;
  try { history.replaceState(null, "", query(at, eye)); } catch { /* a file keeps its address */ }
  prefetch();
  return true;
}

function showPlaying() {
  const name = timer ? board.dataset.pause : board.dataset.play;
  playButton.classList.toggle("playing", Boolean(timer));
  playButton.querySelector(".hidden").textContent = name;
}

function halt() {
  clearTimeout(timer);
  timer = null;
  showPlaying();
}

function wait() {
  timer = setTimeout(async () => {
    const [, forward] = near();
    if (forward === stop()) { halt(); return; }
    await go(forward);
    if (timer) wait();
  }, PLAY_MS / Number(speed.querySelector("select").value));
}

async function toggle() {
  if (timer) { halt(); return; }
  wait();
  showPlaying();
  if (near()[1] === stop()) await go(0); else prefetch();
}

function nextView() {
  const eyes = [...board.querySelectorAll("[data-eye]")].map((link) => link.dataset.eye);
  if (eyes.length) go(stop(), eyes[(eyes.indexOf(view()) + 1) % eyes.length]);
}

async function copy(link) {
  try { await navigator.clipboard.writeText(link.href); } catch { return false; }
  const text = link.innerHTML;
  link.textContent = status.textContent = board.dataset.copied;
  setTimeout(() => { link.innerHTML = text; }, 1500);
  return true;
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-point], a[data-eye], a[data-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.dataset.link !== undefined) {
    if (!navigator.clipboard) return; // the link itself, then: its address can be copied from the browser
    event.preventDefault();
    await copy(link);
    return;
  }
  event.preventDefault();
  if (link.dataset.eye) { go(stop(), link.dataset.eye); return; }
  halt();
  if (!link.hasAttribute("href")) return;
  const strip = link.closest(".goto");
  if (strip && event.detail) { // a click of a pointer goes to the very step under it
    const box = strip.getBoundingClientRect();
    go(String(Math.min(final, Math.max(0, Math.round((final * (event.clientX - box.left)) / box.width)))));
  } else go(link.dataset.point);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .scroll")) return;
  if (event.key === " " && event.target.closest("button, summary")) return;
  // Other keys are the page's own, unless the match has the focus.
  const inside = event.target.closest(".match");
  const pages = inside ? { PageUp: "part-back", PageDown: "part-forward", Home: "first", End: "last" } : {};
  if (event.target.closest(".steps")) Object.assign(pages, { ArrowUp: "back", ArrowDown: "forward" });
  const single = { ArrowLeft: "back", ArrowRight: "forward", ...pages };
  const name = (event.shiftKey ? { ArrowLeft: "part-back", ArrowRight: "part-forward" } : single)[event.key];
  if (name) {
    event.preventDefault();
    halt();
    const link = board.querySelector(`[data-step="${name}"]`);
    if (link.hasAttribute("href")) go(link.dataset.point);
  } else if (event.key === " ") {
    event.preventDefault();
    toggle();
  } else if (inside && event.key === "v") nextView();
  else if (inside && event.key === "n") notation.click();
  else if (inside && event.key.toLowerCase() === "k") chart?.querySelector(`[data-key="${event.shiftKey ? "back" : "forward"}"]`)?.click();
  else if (inside && event.key === "?") board.querySelector("[data-help]").toggleAttribute("open");
});

const notation = board.querySelector("[data-notation]");
try { notation.checked = localStorage.getItem("notation") === "on"; } catch { /* not remembered */ }
notation.addEventListener("change", () => { try { localStorage.setItem("notation", notation.checked ? "on" : "off"); } catch { /* not remembered */ } });
playButton.hidden = speed.hidden = false;
document.addEventListener("fragment", () => { // the chances have come
  chart = document.querySelector("[data-chart]");
  moveChart();
});
window.addEventListener("resize", () => { frame.style.minHeight = ""; });
board.querySelector("[data-go]").hidden = true;
playButton.addEventListener("click", toggle);
board.querySelector("[data-jump]").addEventListener("change", (event) => { halt(); go(Number(event.target.value)); });
// The board is painted first: to find the step in its list, all that is above it there has to be laid out.
requestAnimationFrame(() => setTimeout(() => {
  for (const link of steps.querySelectorAll("a")) link.tabIndex = -1; // the list is one stop of the Tab key
  mark();
  prefetch();
  import(board.dataset.motion).then((found) => { motion = found; motion.offerSound(board.querySelector("[data-sound]")); });
}));
