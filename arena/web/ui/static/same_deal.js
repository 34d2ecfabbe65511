// The end of a match against bots: what a bot makes of the same deal is fetched until it is there.
const PAUSE_MS = 1500;
const TRIES = 90;

async function look(tries) {
  const old = document.querySelector("[data-part=deal][data-pending]");
  if (!old || !tries) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-part=deal]");
    if (fresh && fresh.innerHTML !== old.innerHTML) old.replaceWith(document.importNode(fresh, true));
  } catch {
    // The server is away for a moment: it is asked again.
  }
  setTimeout(look, PAUSE_MS, tries - 1);
}

setTimeout(look, PAUSE_MS, TRIES);
