// A table: the part that changes comes as events; forms are sent without leaving the page; clocks tick.
const table = document.getElementById("table");
const status = document.querySelector("[data-status]");
const trouble = document.querySelector("[data-trouble]");
const TICK_MS = 250;
let since = performance.now();
let sending = false;

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
    first.focus();
  }
  const news = [...table.querySelectorAll(".log .fresh")].map((each) => each.innerText.trim());
  say([...news.reverse(), table.querySelector("#turn").textContent.trim()].join(". "));
}

// As the filter `clock` writes it.
function write(ms) {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  if (tenths < 600) return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}`;
}

function tick() {
  const clock = table.querySelector("[data-clock][data-running]");
  if (!clock) return;
  const left = clock.dataset.clock - (performance.now() - since);
  clock.textContent = write(left);
  clock.classList.toggle("low", left < 30000);
}

// Buttons stay as they are while an answer is on its way: a disabled one would lose the focus.
async function send(form, button) {
  sending = true;
  table.classList.add("sending");
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: new FormData(form, button), headers: { "X-Part": "1" } });
    if (!answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      complain(page.querySelector("main p:not(.code)")?.textContent ?? answer.statusText);
    }
  } catch {
    location.reload();
  } finally {
    sending = false;
    table.classList.remove("sending");
  }
}

table.addEventListener("submit", (event) => {
  const form = event.target;
  if ("whole" in form.dataset) return;
  event.preventDefault();
  if (!sending) send(form, event.submitter);
});

if (table.dataset.live === "yes") {
  const events = new EventSource(table.dataset.events);
  events.addEventListener("seat", (event) => show(JSON.parse(event.data)));
  events.addEventListener("end", () => {
    events.close();
    location.reload();
  });
  setInterval(tick, TICK_MS);
}
