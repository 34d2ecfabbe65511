// Live pages: server-sent events move the progress bars at once; then the page's own parts are fetched again and swapped.
const PAUSE_MS = 1000; // between two fetches of the page, however many events come
const AGAIN_MS = 3000;
const place = document.querySelector("[data-live]");
const status = document.querySelector("[data-status]");
let fetching = false;
let wanted = false;
let last = 0;
const newest = new Map(); // tournament → its newest progress: a page fetched a moment ago may be older

function spaced(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f"); // loading the browser's own way costs a phone some 40 ms
}

function show(progress) {
  let stale = true;
  for (const box of document.querySelectorAll(`[data-tournament="${progress.tournament}"]`)) {
    const bar = box.querySelector("progress");
    if (bar.value > progress.matches_done) continue;
    const most = Math.max(progress.matches_total, 1);
    stale = bar.value !== progress.matches_done || bar.max !== most || box.dataset.state !== progress.state;
    bar.max = most;
    bar.value = progress.matches_done;
    box.querySelector("[data-done]").textContent = spaced(progress.matches_done);
    box.querySelector("[data-total]").textContent = spaced(progress.matches_total);
  }
  return stale;
}

function swap(old, fresh) {
  for (const each of old.querySelectorAll("details[id]")) {
    fresh.querySelector(`[id="${each.id}"]`)?.toggleAttribute("open", each.open); // what its reader has opened stays open
  }
  if (old.innerHTML === fresh.innerHTML) return;
  if (old.contains(document.activeElement) && document.activeElement.matches("input")) { // somebody types: the form stays
    const [rows, others] = [old.querySelector("[data-rows]"), fresh.querySelector("[data-rows]")];
    if (!rows || !others) return;
    [old, fresh] = [rows, others];
  }
  const scrolled = [...old.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  const focusable = "a[href], button, [tabindex]";
  const focused = [...old.querySelectorAll(focusable)].indexOf(document.activeElement);
  const node = document.importNode(fresh, true);
  node.removeAttribute("data-live");
  old.replaceWith(node);
  node.dispatchEvent(new CustomEvent("fragment", { bubbles: true }));
  node.querySelectorAll(".scroll").forEach((box, i) => { box.scrollLeft = scrolled[i] ?? 0; });
  if (focused >= 0) node.querySelectorAll(focusable)[focused]?.focus({ preventScroll: true });
}

async function refresh() {
  wanted = true;
  if (fetching || document.hidden) return;
  fetching = true;
  while (wanted && !document.hidden) {
    const wait = last + PAUSE_MS - performance.now();
    if (wait > 0) await new Promise((resolve) => { setTimeout(resolve, wait); });
    wanted = false;
    last = performance.now();
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of document.querySelectorAll("[data-part]")) {
        const fresh = page.querySelector(`[data-part="${old.dataset.part}"]`);
        if (fresh) swap(old, fresh);
      }
      for (const progress of newest.values()) show(progress);
    } catch {
      wanted = true; // the server is away: try again after the pause
    }
  }
  fetching = false;
}

let source;
function follow() {
  source = new EventSource(place.dataset.live);
  source.addEventListener("progress", (event) => {
    const progress = JSON.parse(event.data);
    newest.set(progress.tournament, progress);
    if (show(progress)) refresh();
    if (status?.dataset[progress.state]) status.textContent = status.dataset[progress.state];
  });
  source.addEventListener("end", () => source.close());
  // A browser comes back by itself where a stream breaks off, but not where it was refused or a proxy answers.
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS * (0.5 + Math.random()));
  });
}

if (place) {
  follow();
  document.addEventListener("visibilitychange", () => { if (wanted) refresh(); });
  window.addEventListener("pagehide", () => source.close());
}
