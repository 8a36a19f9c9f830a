// The keyboard on a board: the tables that say it in words become ARIA grids, and the picture
// shows where one is. Whatever the game: cells and places have the ids of the scene.

const SVG = "http://www.w3.org/2000/svg";
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

const cellsOf = (table) => [...table.rows].map((row) => [...row.cells].filter((one) => one.dataset.space));

export class Walk {
  constructor(root, choose, back) {
    this.root = root;
    this.choose = choose;
    this.back = back;
    root.addEventListener("keydown", (event) => this.pressed(event));
    root.addEventListener("focusin", ({ target }) => this.entered(target));
    root.addEventListener("focusout", () => this.unmark());
    root.addEventListener("click", (event) => this.clicked(event));
    this.prepare();
  }

  prepare() {
    for (const table of this.root.querySelectorAll("[data-walked]")) {
      table.setAttribute("role", "grid");
      const cells = cellsOf(table).flat();
      const before = cells.find((one) => one.dataset.space === this.space);
      (before ?? cells[0])?.setAttribute("tabindex", "0");
    }
    // The same places can be reached by the arrows; two ways through them would be one too many.
    for (const link of this.root.querySelectorAll("a.way")) link.setAttribute("tabindex", "-1");
  }

  entered(target) {
    const cell = target.closest("[data-walked] [data-space]");
    if (!cell) return;
    this.space = cell.dataset.space;
    for (const one of cell.closest("table").querySelectorAll('[tabindex="0"]')) one.tabIndex = -1;
    cell.tabIndex = 0;
    this.mark(cell);
  }

  pressed(event) {
    const cell = event.target.closest("[data-walked] [data-space]");
    if (!cell || event.altKey || event.metaKey) return;
    if (["Enter", " "].includes(event.key)) {
      this.walking = true;
      this.choose(cell.dataset.space);
    } else if (event.key === "Escape") this.back();
    else {
      const goal = this.goal(cell, event);
      if (goal === null) return;
      goal?.focus({ preventScroll: true });
    }
    event.preventDefault();
  }

  // A click on a place that leads nowhere is a try, too.
  clicked({ target, clientX, clientY }) {
    const picture = target.closest("[data-spots]");
    if (!picture?.querySelector("a.way") || target.closest("a")) return;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
    const spots = Object.entries(JSON.parse(picture.dataset.spots));
    const hit = ([, [left, top, wide, high]]) => Math.abs(x - left) < wide / 2 && Math.abs(y - top) < high / 2;
    const found = spots.find(hit);
    if (found) this.choose(found[0], true);
  }

  // Null: not a key of ours. Undefined: there is nothing that way.
  goal(cell, { key, ctrlKey }) {
    const rows = cellsOf(cell.closest("table")).filter((row) => row.length);
    const y = rows.findIndex((row) => row.includes(cell));
    const x = rows[y].indexOf(cell);
    if (key in STEPS) {
      const [down, right] = STEPS[key];
      const narrow = rows.every((row) => row.length === 1);
      return narrow ? rows[y + down + right]?.[0] : rows[y + down]?.[x + right];
    }
    if (key === "Home") return ctrlKey || rows[y].length === 1 ? rows[0][0] : rows[y][0];
    if (key === "End") return ctrlKey || rows[y].length === 1 ? rows.at(-1).at(-1) : rows[y].at(-1);
    return null;
  }

  mark(cell) {
    this.unmark();
    const picture = cell.closest(".board, .holding")?.querySelector("[data-spots]");
    const spot = picture && JSON.parse(picture.dataset.spots)[cell.dataset.space];
    if (!spot) return;
    const [x, y, wide, high, turn] = spot;
    this.ring = document.createElementNS(SVG, "rect");
    const shape = { x: -wide / 2 - 5, y: -high / 2 - 5, width: wide + 10, height: high + 10, rx: 10 };
    for (const [name, value] of Object.entries(shape)) this.ring.setAttribute(name, value);
    this.ring.setAttribute("transform", `translate(${x} ${y}) rotate(${turn})`);
    this.ring.setAttribute("class", "ring");
    picture.append(this.ring);
    this.ring.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  unmark() {
    this.ring?.remove();
    this.ring = null;
  }

  // Goes to the first place that can be chosen.
  start() {
    const open = [...this.root.querySelectorAll("a.way")].map((one) => one.dataset.space);
    const cells = [...this.root.querySelectorAll("[data-walked] [data-space]")];
    (cells.find((one) => open.includes(one.dataset.space)) ?? cells[0])?.focus({ preventScroll: true });
  }

  // Whether the keyboard is on a board.
  get inside() {
    return this.root.contains(document.activeElement) && document.activeElement.closest("[data-walked]") !== null;
  }

  // After a step was chosen from a board the keyboard stays there, unless all that can be chosen
  // now is on another one: behind a unit of the hand come the cells that it can go to.
  refocus() {
    if (!this.walking) return false;
    this.walking = false;
    const ways = [...this.root.querySelectorAll("a.way")].map((one) => one.dataset.space);
    const here = this.at(this.space)?.closest("table");
    if (!ways.length || ways.some((one) => here?.contains(this.at(one)))) return this.restore();
    this.start();
    return this.inside;
  }

  // The cell of a place, if a table has it.
  at(space) {
    return this.root.querySelector(`[data-walked] [data-space="${CSS.escape(space)}"]`);
  }

  // After the board has changed under a keyboard that was on it.
  restore() {
    const goal = this.at(this.space) ?? this.root.querySelector("[data-walked] [data-space]");
    goal?.focus({ preventScroll: true });
    if (goal) this.mark(goal);
    return Boolean(goal);
  }
}
