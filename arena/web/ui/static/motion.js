// What moves and sounds between two steps of a replay: pieces glide from where they lay, and a sound that is off until it is wanted.
const PIECES = ".k, .sign, .sea > g";
const STATES = / ?\b(fresh|picked|asked|sunk)\b/g; // how a piece is marked, not which it is
const GLIDE_MS = 260;
const still = matchMedia("(prefers-reduced-motion: reduce)");
let sound = null;

// Name a piece by what is drawn on it; a boat by its colour, since its crew changes. What lies face down has no name.
function nameOf(piece) {
  if (piece.querySelector('use[href$="-back"]')) return null;
  const kind = piece.getAttribute("class").replace(STATES, "").trim();
  return piece.closest(".sea") ? kind : `${kind} ${piece.textContent.trim()}`;
}

// List where the pieces of a board are, by name, from its corner.
export function placesOf(board) {
  const places = new Map();
  if (still.matches) return places;
  const corner = board.getBoundingClientRect();
  for (const piece of board.querySelectorAll(PIECES)) {
    const name = nameOf(piece);
    if (!name) continue;
    const { left, top, width } = piece.getBoundingClientRect();
    if (!places.has(name)) places.set(name, []);
    places.get(name).push({ piece, x: left - corner.left, y: top - corner.top, width });
  }
  return places;
}

// Let the pieces of a board that was drawn anew come from their places before; equal ones that lie still are told first.
export function glide(board, before) {
  if (still.matches) return;
  for (const [name, now] of placesOf(board)) {
    const old = [...(before.get(name) ?? [])];
    const moved = now.filter((at) => {
      const same = old.findIndex((was) => Math.abs(was.x - at.x) < 2 && Math.abs(was.y - at.y) < 2);
      if (same >= 0) old.splice(same, 1);
      return same < 0;
    });
    for (const at of moved) {
      const was = old.shift();
      const box = at.piece.ownerSVGElement; // inside of a drawing lengths are the drawing's
      const scale = box?.matches(".sea") ? box.getBoundingClientRect().width / box.viewBox.baseVal.width : 1;
      const frames = was
        ? { translate: [`${(was.x - at.x) / scale}px ${(was.y - at.y) / scale}px`, "0px 0px"] }
        : { opacity: [0, 1] };
      at.piece.animate(frames, { duration: GLIDE_MS, easing: "ease-out" });
    }
  }
}

function isWanted() {
  try { return localStorage.getItem("sound") === "on"; } catch { return false; }
}

// A card that is put down; at the end of a hand three notes.
export function play(ended) {
  if (!isWanted()) return;
  sound ??= new AudioContext();
  sound.resume();
  const notes = ended ? [[523, 523, 0], [659, 659, 0.1], [784, 784, 0.2]] : [[240, 90, 0]];
  for (const [from, to, after] of notes) {
    const start = sound.currentTime + after;
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, start + 0.08);
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    tone.connect(volume).connect(sound.destination);
    tone.start(start);
    tone.stop(start + 0.17);
  }
}

// Make a button switch the sound, and remember it.
export function offerSound(button) {
  const show = () => button.setAttribute("aria-pressed", String(isWanted()));
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    try { localStorage.setItem("sound", isWanted() ? "off" : "on"); } catch { return; }
    show();
    play(false);
  });
}
