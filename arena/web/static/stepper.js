// The match page: step through the points without leaving the page.  Without this script every step is a link.
const board = document.querySelector("#board");
const steps = document.querySelector(".steps");
const status = document.querySelector("[data-status]");
const PLAY_MS = 900;
let playing = null;
let asked = 0;

const links = () => ({
  first: board.querySelector("[data-step=first]"),
  back: board.querySelector("[data-step=back]"),
  forward: board.querySelector("[data-step=forward]"),
  last: board.querySelector("[data-step=last]"),
});

function mark(point) {
  for (const link of steps.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  const link = steps.querySelector(`[data-point="${point}"]`);
  if (!link) return;
  link.setAttribute("aria-current", "true");
  const box = steps.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < box.top + 40 || at.bottom > box.bottom) steps.scrollTop += at.top - box.top - box.height / 2;
}

async function go(point) {
  asked += 1;
  const mine = asked;
  const answer = await fetch(`${board.dataset.address}?point=${point}`);
  if (!answer.ok || mine !== asked) return;
  const focused = document.activeElement?.dataset.step;
  board.innerHTML = await answer.text();
  addPlay();
  if (focused) board.querySelector(`[data-step="${focused}"]`)?.focus({ preventScroll: true });
  mark(point);
  status.textContent = board.querySelector(".just").textContent;
  history.replaceState(null, "", `?point=${point}`);
}

function stop() {
  clearInterval(playing);
  playing = null;
  addPlay();
}

function toggle() {
  if (playing) { stop(); return; }
  playing = setInterval(() => {
    const next = links().forward;
    if (next.hasAttribute("href")) go(next.dataset.point); else stop();
  }, PLAY_MS);
  addPlay();
}

function addPlay() {
  const bar = board.querySelector(".stepper");
  let button = bar.querySelector("[data-step=play]");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.dataset.step = "play";
    button.addEventListener("click", toggle);
    links().forward.after(button);
  }
  button.textContent = playing ? "Pause" : "Play";
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-point]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (playing) stop();
  if (link.hasAttribute("href")) go(link.dataset.point);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .scroll")) return;
  const kind = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  if (!kind) return;
  event.preventDefault();
  const link = links()[kind];
  if (link.hasAttribute("href")) go(link.dataset.point);
});

if (board && steps) {
  addPlay();
  mark(board.dataset.point);
}
