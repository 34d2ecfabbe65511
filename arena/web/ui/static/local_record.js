// Pages of `arena view`: they are loaded again when the file that they show is written again.
const PAUSE_MS = 1000;
const place = document.querySelector("[data-changes]");

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch(place.dataset.changes, { cache: "no-store" });
      const mark = answer.ok ? await answer.text() : "";
      // Without a mark the file is gone for now; a program that writes it again puts it back.
      if (mark && mark !== place.dataset.mark) { location.reload(); return; }
    } catch { /* the server has ended */ }
  }
  setTimeout(look, PAUSE_MS);
}

if (place) setTimeout(look, PAUSE_MS);
