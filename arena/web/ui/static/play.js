// A table: the part that changes comes as events; forms are sent without leaving the page; clocks tick.
const table = document.getElementById("table");
const status = document.querySelector("[data-status]");
const trouble = document.querySelector("[data-trouble]");
const TICK_MS = 250;
const AGAIN_MS = 3000;
let since = performance.now();
let sending = false;
// Part → its HTML as the server sent it: with the page, then with each event.
const drawn = new Map([...table.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part.outerHTML]));

function say(text) {
  if (status.textContent !== text) status.textContent = text;
}

function complain(text) {
  trouble.textContent = text;
  trouble.hidden = !text;
}

// What a person has written or chosen in a part, and not sent yet, goes on into the one in its place.
function keep(old, part) {
  const kind = "input[type=text], select, textarea";
  const places = part.querySelectorAll(kind);
  for (const [i, each] of old.querySelectorAll(kind).entries()) {
    const wasChosen = each.options && each.selectedIndex > 0 && !each.selectedOptions[0].defaultSelected;
    if (places[i]?.name === each.name && (wasChosen || each.value !== (each.defaultValue ?? each.value))) places[i].value = each.value;
  }
}

// Draw anew only what has changed: a button that is being pressed, a line that is being written, stay as they are.
function show(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  let lost = false;
  for (const part of fresh.content.querySelectorAll("[data-part]")) {
    const name = part.dataset.part;
    if (drawn.get(name) === part.outerHTML) continue;
    drawn.set(name, part.outerHTML);
    const old = table.querySelector(`[data-part=${name}]`);
    const open = new Set([...old.querySelectorAll("details[open][data-keep]")].map((each) => each.dataset.keep));
    lost ||= old.contains(document.activeElement);
    if (!sending) keep(old, part);
    old.replaceWith(part);
    for (const each of part.querySelectorAll("details[data-keep]")) each.open ||= open.has(each.dataset.keep);
  }
  since = performance.now();
  complain("");
  if (lost) {
    const first = table.querySelector("[data-first], .answer button") ?? table.querySelector("#turn");
    if (first.id === "turn") first.tabIndex = -1;
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
    } else {
      form.reset();
    }
  } catch {
    location.reload();
  } finally {
    sending = false;
    table.classList.remove("sending");
  }
}

const events = table.dataset.live === "yes" ? new EventSource(table.dataset.events) : null;
events?.addEventListener("seat", (event) => show(JSON.parse(event.data)));
events?.addEventListener("end", () => {
  events.close();
  location.reload();
});
// The browser comes back by itself, unless the table is not there any more: the page says what became of it.
events?.addEventListener("error", () => {
  if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), AGAIN_MS * (0.5 + Math.random()));
});
if (events) setInterval(tick, TICK_MS);

table.addEventListener("submit", (event) => {
  const form = event.target;
  if ("whole" in form.dataset) {
    events?.close(); // or the end of the match would load the page again, in place of where the form leads
    return;
  }
  event.preventDefault();
  if (!sending) send(form, event.submitter);
});

// On a phone the table begins at the upper edge: what stands above it would take the room of a row of cards.
if (matchMedia("(max-width: 40rem)").matches && !location.hash && scrollY === 0) table.querySelector(".seatboard").scrollIntoView();
