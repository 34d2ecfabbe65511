// A table: the part that changes comes as events; forms are sent without leaving the page; clocks tick.
const table = document.getElementById("table");
const status = document.querySelector("[data-status]");
const trouble = document.querySelector("[data-trouble]");
const TICK_MS = 250;
let since = performance.now();

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function complain(text) {
  trouble.textContent = text;
  trouble.hidden = !text;
}

function show(html) {
  const kept = new Set([...table.querySelectorAll("details[open][data-keep]")].map((each) => each.dataset.keep));
  const held = table.contains(document.activeElement);
  table.innerHTML = html;
  for (const each of table.querySelectorAll("details[data-keep]")) each.open = kept.has(each.dataset.keep);
  since = performance.now();
  complain("");
  if (held) {
    const first = table.querySelector("[data-first], .answer button") ?? table.querySelector("h2");
    if (first.tagName === "H2") first.tabIndex = -1;
    first.focus({ preventScroll: true });
  }
  const news = [...table.querySelectorAll("[aria-labelledby=log] > .log li")].map((each) => each.textContent.trim());
  say([...news, table.querySelector("#turn").textContent.trim()].join(". "));
}

function countdown(ms) {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const passed = performance.now() - since;
  const own = table.querySelector("[data-clock][data-running]");
  if (!own) return;
  const left = own.dataset.clock - passed;
  own.textContent = countdown(left);
  own.classList.toggle("low", left < 30000);
  const plate = table.querySelector(".clock.runs[data-left-ms]");
  if (plate) plate.lastChild.textContent = countdown(left);
}

async function send(form, button) {
  const data = new FormData(form, button);
  for (const each of table.querySelectorAll("button")) each.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Part": "1" } });
    if (answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    complain(page.querySelector("main p:not(.code)")?.textContent ?? answer.statusText);
  } catch {
    complain(table.dataset.offline ?? "");
    location.reload();
    return;
  }
  for (const each of table.querySelectorAll("button")) each.disabled = false;
}

table.addEventListener("submit", (event) => {
  const form = event.target;
  if ("whole" in form.dataset) return;
  event.preventDefault();
  send(form, event.submitter);
});

if (table.dataset.live === "yes") {
  const events = new EventSource(table.dataset.events);
  events.addEventListener("seat", (event) => show(event.data));
  events.addEventListener("end", () => {
    events.close();
    location.reload();
  });
  setInterval(tick, TICK_MS);
}
