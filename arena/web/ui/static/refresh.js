// Pages of admins and the status page: their parts are fetched again every few seconds while somebody looks, and swapped where they have changed.
const SLOWEST_MS = 60000;
const place = document.querySelector("[data-refresh]");
let pause = place ? 1000 * Number(place.dataset.refresh) : 0;

function swap(old, fresh) {
  for (const each of old.querySelectorAll("details[id]")) {
    fresh.querySelector(`[id="${each.id}"]`)?.toggleAttribute("open", each.open);
  }
  if (old.innerHTML === fresh.innerHTML || old.contains(document.activeElement)) return;
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
      for (const old of document.querySelectorAll("[data-part]")) {
        const fresh = page.querySelector(`[data-part="${old.dataset.part}"]`);
        if (fresh) swap(old, fresh);
      }
      pause = 1000 * Number(place.dataset.refresh);
    } catch {
      pause = Math.min(2 * pause, SLOWEST_MS); // the server is away, or wants to be left alone
    }
  }
  setTimeout(refresh, pause);
}

if (place) setTimeout(refresh, pause);
