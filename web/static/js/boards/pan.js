// A board that is larger than its box: what matters of it is brought into sight there, never by
// moving the page, and two fingers zoom a field of cards.

const SMALLEST = 0.25;
const LARGEST = 3;
const NEAR = 12;

const around = (boxes) => {
  const edge = (pick, name) => Math[pick](...boxes.map((one) => one[name]));
  return { left: edge("min", "left"), top: edge("min", "top"), right: edge("max", "right"), bottom: edge("max", "bottom") };
};

const boxesOf = (elements) => [...elements].map((one) => one.getBoundingClientRect()).filter((one) => one.width || one.height);

// Where to scroll along one axis, so that from..to is in sight, or else the middle of what comes first.
function goal(from, to, size, first) {
  if (from >= NEAR && to <= size - NEAR) return 0;
  const middle = to - from <= size - 2 * NEAR ? (from + to) / 2 : first;
  return middle - size / 2;
}

function bring(board, wanted, first) {
  const { left, top } = board.getBoundingClientRect();
  const all = around(wanted);
  const one = around(first.length ? first : wanted);
  board.scrollBy({
    left: goal(all.left - left, all.right - left, board.clientWidth, (one.left + one.right) / 2 - left),
    top: goal(all.top - top, all.bottom - top, board.clientHeight, (one.top + one.bottom) / 2 - top),
    behavior: "instant",
  });
}

// Where a move is being entered: what can be chosen, and one's own base. Else: the last move, at
// one's turn with the own base where both have room; or a base.
export function bringIntoSight(you, present) {
  const turn = present && document.querySelector(".desk.your-turn");
  const entering = turn && document.querySelector(".desk .taken li, .preview");
  for (const board of document.querySelectorAll(".shown .board")) {
    const ways = boxesOf(board.querySelectorAll(".way .go-edge, .chosen"));
    const base = boxesOf(board.querySelectorAll(`.token.seat-${you ?? 1}:has(.keep)`));
    const last = boxesOf(board.querySelectorAll(".last, .left"));
    if (entering && ways.length) bring(board, [...ways, ...base], base);
    else if (last.length) bring(board, turn ? [...last, ...base] : last, last);
    else if (base.length) bring(board, base, []);
  }
}

export class Zoom {
  constructor(view) {
    this.view = view;
    this.factor = 1;
    view.addEventListener("touchmove", (event) => this.moved(event), { passive: false });
    view.addEventListener("touchend", () => (this.before = null));
  }

  moved(event) {
    const board = event.target.closest?.(".board:has(.shape-field)");
    if (!board || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, two] = event.touches;
    const apart = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
    if (this.before) this.by(apart / this.before, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2, board);
    this.before = apart;
  }

  // What lies under a point stays there.
  by(times, x, y, board = this.view.querySelector(".board")) {
    const box = board.getBoundingClientRect();
    const [right, down] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
    const [across, along] = [(board.scrollLeft + right) / board.scrollWidth, (board.scrollTop + down) / board.scrollHeight];
    this.factor = Math.max(SMALLEST, Math.min(LARGEST, this.factor * times));
    this.view.style.setProperty("--zoom", this.factor);
    board.scrollTo({ left: across * board.scrollWidth - right, top: along * board.scrollHeight - down, behavior: "instant" });
  }
}
