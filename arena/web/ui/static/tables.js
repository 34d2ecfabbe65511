// Tables that sort and filter.
// Those with pages ask the server, which also does it without us: their links are followed in place (arena/web/ui/data_table.py).
// Those whose rows are all there sort here: a header cell with data-sort="number|text" gets a button; rows compare by
// data-value, else by text.
const TYPED_MS = 200; // after the last key in a filter
const value = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.value ?? cell.textContent.trim();
};

const compare = (kind) => (kind === "number"
  ? (a, b) => Number.parseFloat(a) - Number.parseFloat(b)
  : (a, b) => a.localeCompare(b, undefined, { numeric: true }));

const chosen = new Map(); // table id → [column, order]: kept when a live page swaps the table

function sortBy(header, order) {
  const table = header.closest("table");
  const column = header.cellIndex;
  const kind = header.dataset.sort;
  chosen.set(table.id, [column, order]);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const by = compare(kind);
  const body = table.tBodies[0];
  body.append(...[...body.rows].sort((a, b) => sign * by(value(a, column), value(b, column))));
}

function toggle(header) {
  const first = header.dataset.sort === "number" ? "descending" : "ascending";
  const second = first === "ascending" ? "descending" : "ascending";
  sortBy(header, header.getAttribute("aria-sort") === first ? second : first);
}

function makeSortable(root) {
  for (const header of root.querySelectorAll("th[data-sort]:not(:has(.sort))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => toggle(header));
  }
  for (const table of root.querySelectorAll("table[id]")) {
    const [column, order] = chosen.get(table.id) ?? [];
    if (order) sortBy(table.tHead.rows[0].cells[column], order);
  }
}

// --- tables of the server
let asked = 0;

function swap(old, fresh) {
  const focused = document.activeElement;
  const key = old.contains(focused) ? focused.dataset.key : undefined;
  const scrolled = [...old.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  const inner = old.querySelector("[data-rows]");
  if (inner && old.contains(focused) && focused.matches("input")) { // somebody types: the form stays
    inner.replaceWith(document.importNode(fresh.querySelector("[data-rows]"), true));
  } else {
    const node = document.importNode(fresh, true);
    old.replaceWith(node);
    old = node;
  }
  old.querySelectorAll(".scroll").forEach((box, i) => { box.scrollLeft = scrolled[i] ?? 0; });
  if (key) old.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
  old.dispatchEvent(new CustomEvent("fragment", { bubbles: true }));
}

async function follow(address, keep = true) {
  asked += 1;
  const mine = asked;
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  if (mine !== asked) return;
  if (!answer?.ok) { location.assign(address); return; }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== asked) return;
  if (keep) history.replaceState(null, "", address);
  for (const old of document.querySelectorAll("[data-table]")) {
    const fresh = page.querySelector(`[data-table="${old.dataset.table}"]`);
    if (fresh && fresh.innerHTML !== old.innerHTML) swap(old, fresh);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-table] a[data-key]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  follow(new URL(link.href).search || location.pathname);
});

const addressOf = (form) => {
  const fields = [...new FormData(form)].filter(([, text]) => text);
  return fields.length ? `?${new URLSearchParams(fields)}` : location.pathname;
};

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-table] form.find")) return;
  event.preventDefault();
  follow(addressOf(event.target));
});

let typed = 0;
document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-table] form.find");
  if (!form) return;
  clearTimeout(typed);
  typed = setTimeout(() => follow(addressOf(form)), TYPED_MS);
});

// What takes the server a moment is fetched when it comes into sight.
const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    sight.unobserve(entry.target);
    follow(new URL(entry.target.href).search, false);
  }
});

function begin(root) {
  makeSortable(root);
  for (const link of root.querySelectorAll("[data-lazy]")) sight.observe(link);
}

begin(document);
document.addEventListener("fragment", (event) => begin(event.target));
