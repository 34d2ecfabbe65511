// The API reference: RapiDoc over our OpenAPI document, in the colours of the page, with this arena's address in the samples.
const place = document.querySelector("[data-reference]");
const dark = matchMedia("(prefers-color-scheme: dark)");
const wide = matchMedia("(min-width: 48rem)");
const styles = getComputedStyle(document.documentElement);
const token = (name) => styles.getPropertyValue(name).trim();

const FIXED = {
  "allow-authentication": false,
  "allow-server-selection": false,
  "allow-spec-file-load": false,
  "allow-spec-url-load": false,
  "allow-try": false,
  "allow-advanced-search": false,
  "default-schema-tab": "example",
  "load-fonts": false,
  "nav-item-spacing": "compact",
  "schema-expand-level": 1,
  "schema-style": "table",
  "show-components": false,
  "show-header": false,
  "show-info": false,
  "show-method-in-nav-bar": "as-colored-text",
  "sort-tags": false,
};
const COLOURS = {
  "bg-color": "--surface",
  "header-color": "--sunken",
  "nav-accent-color": "--accent",
  "nav-bg-color": "--sunken",
  "nav-hover-bg-color": "--accent-soft",
  "nav-hover-text-color": "--accent",
  "nav-text-color": "--ink",
  "mono-font": "--mono",
  "primary-color": "--accent",
  "regular-font": "--font",
  "text-color": "--ink",
};

function dress(reference) {
  reference.setAttribute("theme", dark.matches ? "dark" : "light");
  // The menu needs width: on a phone all groups stand folded below each other.
  reference.setAttribute("render-style", wide.matches ? "focused" : "view");
  for (const [attribute, colour] of Object.entries(COLOURS)) reference.setAttribute(attribute, token(colour));
}

// What RapiDoc cannot draw as it is in the document: null in examples, types that may be null; and paths that only old clients use.
function simplify(node) {
  if (Array.isArray(node)) return node.filter((each) => !each?.deprecated).map(simplify);
  if (node === null || typeof node !== "object") return node;
  const { example, anyOf, ...rest } = node;
  const types = anyOf?.filter((each) => each.type !== "null");
  if (example !== undefined && node.schema && !node.in) return { schema: simplify(node.schema), examples: { Example: { value: example } } };
  if (types?.length === 1 && types.length < anyOf.length) return simplify({ ...types[0], ...rest });
  return Object.fromEntries(Object.entries(node).filter(([, each]) => !each?.deprecated).map(([key, each]) => [key, key === "value" ? each : simplify(each)]));
}

// RapiDoc gives its fields and landmarks no names.
function name(root) {
  for (const field of root.querySelectorAll("textarea, select")) field.setAttribute("aria-label", "Example");
  root.querySelector("nav")?.setAttribute("aria-label", "Operations");
  root.querySelector("main")?.setAttribute("aria-label", "Operation");
  for (const { shadowRoot } of root.querySelectorAll("api-request, api-response")) if (shadowRoot) watch(shadowRoot);
}

const watched = new WeakSet();
function watch(root) {
  if (!watched.has(root)) new MutationObserver(() => name(root)).observe(root, { childList: true, subtree: true });
  watched.add(root);
  name(root);
}

async function draw() {
  const answer = await fetch(place.dataset.reference);
  const text = (await answer.text()).replaceAll(place.dataset.example, location.origin);
  const reference = document.createElement("rapi-doc");
  for (const [attribute, value] of Object.entries(FIXED)) reference.setAttribute(attribute, String(value));
  dress(reference);
  place.replaceChildren(reference);
  await customElements.whenDefined("rapi-doc");
  await reference.loadSpec(simplify(JSON.parse(text)));
  watch(reference.shadowRoot);
  for (const query of [dark, wide]) query.addEventListener("change", () => dress(reference));
}

draw().catch(() => place.classList.add("failed"));
