// The board of a match that is being played: drawn by the server, swapped here; what was missed comes with the next event.
const place = document.querySelector("[data-table]");
const { morphChildren, parse } = await import(place.dataset.morph);
const board = place.querySelector("[data-board]");
const lines = place.querySelector("[data-lines]");
const turn = place.querySelector("[data-turn]");
const tag = place.querySelector("[data-live-tag]");
const status = place.querySelector("[data-status]");
const AGAIN_MS = 3000;
const LEAST_MS = 1000; // of thinking, before it is counted on the page
let source = null;
let run = 0;
let since = 0;
let acting = [];

function clock(ms) {
  const tenths = Math.floor(Math.max(ms, 0) / 100);
  if (tenths < 600) return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}`;
}

function tick() {
  const ms = performance.now() - since;
  for (const running of board.querySelectorAll(".clock.runs[data-left-ms]")) {
    running.lastChild.textContent = clock(Number(running.dataset.leftMs) - ms);
  }
  const names = acting.join(", ");
  turn.textContent = names && ms >= LEAST_MS ? `${names} ${place.dataset.saysThinks}: ${Math.floor(ms / 1000)} s` : names && `${names} …`;
}

function show(news) {
  if (news.run !== run) lines.replaceChildren();
  run = news.run;
  morphChildren(board, parse(news.board));
  board.dataset.point = news.point;
  lines.insertAdjacentHTML("afterbegin", news.lines);
  acting = news.acting;
  since = performance.now();
  tick();
}

async function finish() {
  source.close();
  acting = [];
  tick();
  tag.classList.remove("running");
  status.textContent = place.dataset.saysOver;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page.querySelector("[data-table]")) location.reload();
}

function follow() {
  source = new EventSource(place.dataset.table);
  source.addEventListener("board", (event) => show(JSON.parse(event.data)));
  source.addEventListener("over", finish);
  source.addEventListener("open", () => { tag.classList.add("running"); });
  source.addEventListener("error", () => {
    tag.classList.remove("running");
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS * (0.5 + Math.random()));
  });
}

follow();
setInterval(tick, 500);
window.addEventListener("pagehide", () => source.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
