// The docs: a button beside each code block that copies it, and search while somebody types; `/` goes to the search.
const COPIED_MS = 2000; // how long a button says so
const TYPED_MS = 200; // after the last key

// Of a console the commands are copied, without prompts and output.
const textOf = (block) => {
  const commands = [...block.querySelectorAll(".command")];
  return commands.length ? commands.map((each) => each.textContent).join("\n") : block.querySelector("code").textContent;
};

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain HTTP from another machine there is no clipboard but this one.
  const area = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "hidden" });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("copying is not allowed");
}

const article = document.querySelector("[data-copy]");
if (article) {
  const status = Object.assign(document.createElement("span"), { className: "hidden", role: "status" });
  article.append(status);
  for (const block of article.querySelectorAll(".code")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: article.dataset.copy });
    button.lang = document.documentElement.lang;
    block.append(button);
    button.addEventListener("click", async () => {
      try {
        await copy(textOf(block));
      } catch { // a browser that does not allow it: the text is selected instead
        getSelection().selectAllChildren(block.querySelector("code"));
        return;
      }
      button.textContent = article.dataset.copied;
      status.textContent = article.dataset.copied;
      button.focus();
      setTimeout(() => {
        button.textContent = article.dataset.copy;
        status.textContent = "";
      }, COPIED_MS);
    });
  }
}

// The same in several languages: tabs, of which the choice is remembered and counts for all.
const CHOICE = "arena-docs-language";
const groups = [...document.querySelectorAll(".tabs")];

function remembered() {
  try {
    return localStorage.getItem(CHOICE);
  } catch { // a browser that keeps nothing
    return null;
  }
}

function choose(language) {
  for (const group of groups) {
    const panels = [...group.querySelectorAll(".tab")];
    if (!panels.some((panel) => panel.dataset.language === language)) continue;
    for (const panel of panels) panel.hidden = panel.dataset.language !== language;
    for (const tab of group.querySelectorAll("[role=tab]")) {
      const chosen = tab.dataset.language === language;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
  }
}

function take(tab) {
  const top = tab.getBoundingClientRect().top;
  choose(tab.dataset.language);
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: "instant" }); // groups above have other heights now
  try {
    localStorage.setItem(CHOICE, tab.dataset.language);
  } catch { /* it counts for this page only */ }
}

for (const [number, group] of groups.entries()) {
  const list = Object.assign(document.createElement("div"), { className: "tab-list", role: "tablist" });
  for (const panel of group.querySelectorAll(".tab")) {
    const { language } = panel.dataset;
    const name = panel.querySelector(".tab-name");
    const tab = Object.assign(document.createElement("button"), { type: "button", role: "tab", id: `tab-${number}-${language}`, textContent: name.textContent });
    tab.dataset.language = language;
    panel.id = `code-${number}-${language}`;
    panel.role = "tabpanel";
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => take(tab));
    name.remove();
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...list.children];
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    take(next);
    next.focus();
  });
  group.prepend(list);
  choose(list.firstElementChild.dataset.language);
}
choose(remembered());

const form = document.querySelector("[data-search]");
const field = form.elements.q;
const place = document.querySelector("#docs-found") ?? document.querySelector("#docs-found-here");
let typed = 0;
let asked = 0;

async function find() {
  const number = ++asked;
  const query = field.value.trim();
  const answer = query ? await fetch(`${form.action}?${new URLSearchParams({ q: query })}`) : null;
  if (number !== asked || (answer && !answer.ok)) return; // somebody typed on, or the form has to say what is wrong
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#docs-found");
  if (number === asked) place.replaceChildren(...(page ? document.importNode(page, true).childNodes : []));
}

field.addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(() => find().catch(() => {}), TYPED_MS);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  field.focus();
  field.select();
});
