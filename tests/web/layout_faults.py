"""What is wrong with the layout of a page in a browser: too wide, cut off, on top of each other, too small to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

_FIND = """() => {
  const found = [];
  for (const each of document.querySelectorAll(".later, .tile")) each.style.contentVisibility = "visible"; // else it has estimated sizes
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const name = element => element.tagName.toLowerCase() + (element.id ? `#${element.id}` : "") + (element.getAttribute("class") ? `.${element.getAttribute("class").trim().replace(/ +/g, ".")}` : "");
  const path = element => `${element.parentElement ? name(element.parentElement) : ""} > ${name(element)}`;
  const scrolls = element => { // what is beyond its frame can be scrolled to
    for (let each = element; each && each !== document.documentElement; each = each.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(each).overflowX)) return true;
    }
    return false;
  };
  const isOnlySaid = element => { // to those who hear the page
    for (let each = element; each; each = each.parentElement) if (getComputedStyle(each).clipPath === "inset(50%)") return true;
    return false;
  };
  if (wide > 1) {
    const most = [...document.querySelectorAll("body *")].filter(each => each.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !scrolls(each));
    found.push(`the page is ${wide} px too wide: ${most.slice(-2).map(path).join(" ")}`);
  }
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest(".skip, noscript, option, datalist") || isOnlySaid(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const boxes = [...range.getClientRects()].filter(box => box.width > 1 && box.height > 1);
    if (!boxes.length) continue;
    const svg = element.ownerSVGElement;
    let scale = 1;
    if (svg) { const matrix = element.getScreenCTM(); scale = Math.hypot(matrix.a, matrix.b); }
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < 10.95 && !element.closest("svg.k, .board, [data-board]")) found.push(`${size.toFixed(1)} px: ${path(element)}: ${text.slice(0, 30)}`);
    if (svg) continue;
    for (let each = element; each && each !== document.body; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.position === "fixed") break;
      if (!/hidden|clip/.test(style.overflowX) || style.textOverflow === "ellipsis") { if (/auto|scroll/.test(style.overflowX)) break; continue; }
      const frame = each.getBoundingClientRect();
      if (boxes.some(box => box.right > frame.right + 2 || box.left < frame.left - 2)) { found.push(`cut: ${path(element)} in ${name(each)}: ${text.slice(0, 30)}`); break; }
    }
    if (!element.closest(".board, [data-board], .page-contents, .masthead")) {
      const edges = [[-Infinity, Infinity]];
      for (let each = element; each && each !== document.body; each = each.parentElement) {
        if (getComputedStyle(each).overflowX !== "visible") { const frame = each.getBoundingClientRect(); edges.push([frame.left, frame.right]); }
      }
      const [from, to] = [Math.max(...edges.map(each => each[0])), Math.min(...edges.map(each => each[1]))];
      for (const box of boxes) lines.push({ left: Math.max(box.left, from) + 2, right: Math.min(box.right, to) - 2, top: box.top + box.height * 0.3, bottom: box.bottom - box.height * 0.3, element, text });
    }
  }
  lines.sort((a, b) => a.top - b.top);
  lines.forEach((line, i) => {
    for (const other of lines.slice(i + 1)) {
      if (other.top >= line.bottom) break;
      if (other.left < line.right && line.left < other.right && !line.element.contains(other.element) && !other.element.contains(line.element)
        && !scrolls(line.element) && !scrolls(other.element)) found.push(`on top of each other: ${path(line.element)} "${line.text.slice(0, 20)}" and ${path(other.element)} "${other.text.slice(0, 20)}"`);
    }
  });
  return [...new Set(found)].slice(0, 12);
}"""


def layout_faults(page: Page) -> list[str]:
    """List what is wrong with the layout of the page that is shown, at most twelve things.

    Text below 11 px, text that its frame cuts off where it cannot be scrolled to, lines that lie on each other, and
    a page that is wider than its window.  Boards have tests of their own (tests/web/boards): their cards may lie on each other.
    """
    found: list[str] = page.evaluate(_FIND)
    return found
