// What the bots noted, on the page of a match: follows the board.  Without this script the page of each step has its own.
const notes = document.querySelector("[data-notes]");
const frame = document.querySelector("[data-board]");
const now = notes.querySelector("[data-now-noted]");
const final = Number(notes.dataset.final);

function follow() {
  const { point } = frame.querySelector(".position").dataset;
  const cards = notes.querySelectorAll(`[data-noted="${point}"] > .bot-note`);
  const nothing = notes.querySelector("[data-nothing]").content.children;
  now.replaceChildren(...[...(cards.length ? cards : nothing)].map((each) => each.cloneNode(true)));
  const x = (1000 * Number(point)) / final;
  notes.querySelector("[data-noted-shown]")?.setAttribute("width", x);
  for (const line of notes.querySelectorAll("[data-noted-now]")) line.setAttribute("transform", `translate(${x})`);
}

new MutationObserver(follow).observe(frame, { childList: true });
