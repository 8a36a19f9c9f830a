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

// Where to scroll along one axis, so that the first of the wishes is in sight that has room there.
function goal(wishes, from, to, start, size) {
  const spans = wishes.map((one) => [one[from] - start, one[to] - start]);
  if (spans[0][0] >= NEAR && spans[0][1] <= size - NEAR) return 0;
  const [low, high] = spans.find((one) => one[1] - one[0] <= size - 2 * NEAR) ?? spans.at(-1);
  return (low + high) / 2 - size / 2;
}

// Bring boxes into sight: all of a wish together, or of the next one, where there is no room for them.
function bring(board, ...wishes) {
  const wanted = wishes.filter((one) => one.length).map(around);
  const { left, top } = board.getBoundingClientRect();
  board.scrollBy({
    left: goal(wanted, "left", "right", left, board.clientWidth),
    top: goal(wanted, "top", "bottom", top, board.clientHeight),
    behavior: "instant",
  });
}

// Where a move is being entered: what can be chosen, and one's own base. Else: the last move with both
// bases where all of them have room, without the place that it left if that takes too much of it; at
// one's turn with the own one; or the bases.
export function bringIntoSight(you, present) {
  const turn = present && document.querySelector(".desk.your-turn");
  const entering = turn && document.querySelector(".desk .taken li, .preview");
  for (const board of document.querySelectorAll(".shown .board")) {
    const ways = boxesOf(board.querySelectorAll(".way .go-edge, .chosen"));
    const bases = boxesOf(board.querySelectorAll(".token:has(.keep)"));
    const base = boxesOf(board.querySelectorAll(`.token.seat-${you ?? 1}:has(.keep)`));
    const last = boxesOf(board.querySelectorAll(".last"));
    const moved = [...last, ...boxesOf(board.querySelectorAll(".left"))];
    if (entering && ways.length) bring(board, [...ways, ...base], base);
    else if (moved.length) bring(board, [...moved, ...bases], [...last, ...bases], turn ? [...moved, ...base] : moved, moved, last, last.slice(-1));
    else if (bases.length) bring(board, bases, base);
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
