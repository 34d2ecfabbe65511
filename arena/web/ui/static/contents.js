// The bar of a long page's parts marks the one that is read.  Without this script its links lead there all the same.
const bar = document.querySelector(".page-contents");
const links = [...bar.querySelectorAll("a")];
let waiting = false;

function mark() {
  waiting = false;
  const line = bar.getBoundingClientRect().bottom + 60;
  const tops = links.map((link) => document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top ?? Infinity);
  const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
  const here = links[atEnd ? links.length - 1 : tops.findLastIndex((top) => top < line)];
  const before = bar.querySelector("[aria-current]");
  if (here === before) return;
  before?.removeAttribute("aria-current");
  if (!here) return;
  here.setAttribute("aria-current", "true");
  bar.scrollTo({ left: here.offsetLeft - bar.clientWidth / 3 });
}

addEventListener("scroll", () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(mark);
}, { passive: true });
mark();
