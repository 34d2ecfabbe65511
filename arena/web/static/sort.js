// Tables that sort: a header cell with data-sort="number|text" gets a button; rows compare by data-value, else by text.
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

makeSortable(document);
document.addEventListener("fragment", (event) => makeSortable(event.target));
