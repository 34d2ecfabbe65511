// The form of a new tournament: a filter over the bots, and what it comes to, told anew after each change.
const PAUSE_MS = 350; // between the last change and the question
const form = document.querySelector("form.draft");

function rows() {
  return [...form.querySelectorAll(".entrants tbody tr")];
}

function count(shown) {
  const ticked = form.querySelectorAll('[name="bot"]:checked').length;
  shown.textContent = shown.dataset.words.replace("{ticked}", ticked).replace("{all}", rows().length);
}

function filterBots(box, tell) {
  const shown = box.querySelector("[data-shown]");
  box.hidden = false;
  box.querySelector("input").addEventListener("input", (event) => {
    event.stopPropagation();
    const wanted = event.target.value.toLowerCase().split(/\s+/);
    for (const row of rows()) row.hidden = !wanted.every((word) => row.dataset.words.toLowerCase().includes(word));
  });
  box.querySelector("input").addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  for (const button of box.querySelectorAll("[data-tick]")) {
    button.addEventListener("click", () => {
      for (const row of rows()) {
        if (!row.hidden) row.querySelector('[name="bot"]').checked = button.dataset.tick === "all";
      }
      count(shown);
      tell();
    });
  }
  form.addEventListener("change", () => count(shown));
  count(shown);
}

let asked = 0;

async function tell() {
  const mine = ++asked;
  await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
  if (mine !== asked) return;
  try {
    const answer = await fetch(form.dataset.estimate, { method: "POST", body: new FormData(form) });
    const text = await answer.text();
    if (mine === asked && answer.ok) form.querySelector("[data-verdict]").innerHTML = text; // our own page's part
  } catch { /* the button works it out as well */ }
}

if (form) {
  const box = form.querySelector("[data-filter]");
  if (box) filterBots(box, tell);
  form.addEventListener("input", tell);
  form.addEventListener("change", tell);
  form.querySelector("[data-look]").hidden = true;
  if (form.querySelector('[name="bot"]:checked, [name="named"][value]:not([value=""])')) tell();
}
