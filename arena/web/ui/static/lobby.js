// The live tables: cards are drawn by the server and swapped here; the list of all tables below them, too.
const place = document.querySelector("[data-lobby]");
const { morphChildren, parse } = await import(place.dataset.morph);
const list = document.querySelector("[data-list]");
const count = document.querySelector("[data-count]");
const AGAIN_MS = 3000;
let source = null;

function card(id) {
  const made = document.createElement("article");
  made.className = "panel table-card";
  made.dataset.id = id;
  return made;
}

function show(news) {
  const here = new Map([...place.children].map((each) => [each.dataset.id, each]));
  const cards = news.order.map((id) => here.get(id) ?? card(id));
  for (const each of cards) {
    const html = news.cards[each.dataset.id];
    if (html === undefined) continue;
    morphChildren(each, parse(html));
  }
  for (const [id, gone] of here) if (!news.order.includes(id)) gone.remove();
  cards.forEach((each, at) => { if (place.children[at] !== each) place.insertBefore(each, place.children[at] ?? null); });
  if (news.tables) morphChildren(list, parse(news.list));
  keepHeights([list, ...cards]);
  tick();
  const said = news.tables === 0 ? (cards.length ? count.dataset.over : count.dataset.none) : news.tables === 1 ? count.dataset.one : count.dataset.many;
  count.textContent = said.replace("#", news.tables);
  if (news.tables) document.querySelector("[data-all]").hidden = false;
  document.querySelector("[data-next]").hidden = news.tables > 0 || cards.length > 0;
}

// A place on the page never becomes lower, whatever comes into it: nothing below it jumps.
const heights = new Map(); // place → its greatest height so far, at this width of the page
let width = 0;

function keepHeights(boxes) {
  if (document.body.clientWidth !== width) {
    width = document.body.clientWidth;
    heights.clear();
    boxes.forEach((box) => { box.style.minHeight = ""; });
  }
  boxes.forEach((box, at) => {
    heights.set(at, Math.max(heights.get(at) ?? 0, box.offsetHeight));
    box.style.minHeight = `${heights.get(at)}px`;
  });
}

function tick() {
  for (const cell of list.querySelectorAll("[data-since]")) {
    const s = Math.max(0, Math.floor(Date.now() / 1000 - Number(cell.dataset.since)));
    cell.textContent = s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
  }
}

function follow() {
  source = new EventSource(place.dataset.lobby);
  source.addEventListener("tables", (event) => show(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS * (0.5 + Math.random()));
  });
}

follow();
setInterval(tick, 1000);
window.addEventListener("pagehide", () => source.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) follow(); });
