// Make an element like a fresh one by changing what differs: the rest is not drawn again, keeps its focus, and stays unfolded.
const KEPT = new Set(["open"]); // what the reader has changed

function setAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) { old.nodeValue = fresh.nodeValue; return; }
  setAttributes(old, fresh);
  morphChildren(old, fresh);
}

export function morphChildren(old, fresh) {
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  while (before.length && after.length && before[0].isEqualNode(after[0])) { before.shift(); after.shift(); }
  while (before.length && after.length && before.at(-1).isEqualNode(after.at(-1))) { before.pop(); after.pop(); }
  const both = Math.min(before.length, after.length);
  const next = before.length ? before.at(-1).nextSibling : findNext(old, fresh, after);
  for (let at = 0; at < both; at += 1) morph(before[at], after[at]);
  for (const gone of before.slice(both)) gone.remove();
  for (const come of after.slice(both)) old.insertBefore(come, next);
}

// Where nodes are only added: the old node that stands where the one after them does.
function findNext(old, fresh, added) {
  if (!added.length) return null;
  const behind = [...fresh.childNodes].length - 1 - [...fresh.childNodes].indexOf(added.at(-1));
  return old.childNodes[old.childNodes.length - behind] ?? null;
}

export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}
