// Parts that change are fetched again while somebody looks: all of a page with [data-refresh], every so many seconds;
// those that are [data-pending], until the server has them.
const PENDING_MS = 1500;
const SLOWER = 1.15; // each time that a pending part is not there yet
const SLOWEST_MS = 60000;
const place = document.querySelector("[data-refresh]");
const SHORTEST_MS = place ? 1000 * Number(place.dataset.refresh) : PENDING_MS;
const parts = () => document.querySelectorAll(place ? "[data-part]" : "[data-part][data-pending]");
let pause = SHORTEST_MS;

function swap(old, fresh) {
  for (const each of old.querySelectorAll("details[id]")) {
    fresh.querySelector(`[id="${each.id}"]`)?.toggleAttribute("open", each.open);
  }
  if (old.isEqualNode(fresh) || old.contains(document.activeElement)) return;
  const scrolled = [...old.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  const node = document.importNode(fresh, true);
  old.replaceWith(node);
  node.dispatchEvent(new CustomEvent("fragment", { bubbles: true }));
  node.querySelectorAll(".scroll").forEach((box, i) => { box.scrollLeft = scrolled[i] ?? 0; });
}

async function refresh() {
  if (!document.hidden) {
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" });
      if (!answer.ok) throw new Error(`${answer.status}`);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of parts()) {
        const fresh = page.querySelector(`[data-part="${old.dataset.part}"]`);
        if (fresh) swap(old, fresh);
      }
      pause = place ? SHORTEST_MS : Math.min(SLOWER * pause, SLOWEST_MS);
    } catch {
      pause = Math.min(2 * pause, SLOWEST_MS); // the server is away, or wants to be left alone
    }
  }
  if (parts().length) setTimeout(refresh, pause);
}

if (parts().length) setTimeout(refresh, pause);
