// What if, on the board of the match itself: of the page of a line, which the server makes, its
// pieces stand where those of the match stood, until the line is left. Nothing that is tried is sent
// as a move; what tries it is a link.
import { Walk } from "../boards/grid.js";
import { bringIntoSight } from "../boards/pan.js";
import { fetchOurs } from "../common/caller.js";
import { become } from "../common/morph.js";
import { fold } from "../common/page.js";
import { _ } from "../common/words.js";
import { slide } from "./stage.js";

const PIECES = { ".shown": ".shown", ".told": ".told", ".others": ".others", ".meters": ".meters", ".counter": ".told-step" };
const begins = (line, other) => line.every(({ move }, at) => other[at]?.move === move);

export class WhatIf {
  constructor(replay) {
    this.replay = replay;
    this.path = new URL(`${replay.setup.match}/line`, location.href).pathname;
    this.place = document.querySelector(".desk-place");
    this.branches = [];
    replay.stage.marked = () => this.list();
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("submit", (event) => this.submitted(event));
  }

  clicked(event) {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    const address = new URL(link.getAttribute("href"), location.href);
    const leaves = this.active && link.classList.contains("leave");
    if (!leaves && address.pathname !== this.path) return;
    event.preventDefault();
    if (leaves) this.leave();
    else this.load(address);
  }

  // A move that is typed; what keeps a line for the match is a form of its own, and leads away.
  submitted(event) {
    if (!this.active || !this.place.contains(event.target)) return;
    event.stopImmediatePropagation();
    if (event.target.method === "post") return;
    event.preventDefault();
    const address = new URL(event.target.action);
    address.search = new URLSearchParams(new FormData(event.target));
    this.load(address);
  }

  choose(space) {
    const link = document.querySelector(`.shown a.way[data-space="${CSS.escape(space)}"]`);
    if (link) this.load(new URL(link.getAttribute("href"), location.href));
    else this.replay.say(_("This cannot be chosen now."));
  }

  async load(address) {
    const asked = new URL(address);
    asked.searchParams.set("once", "1");
    const ticket = (this.ticket = {});
    const answer = await fetchOurs(asked).catch(() => null);
    if (this.ticket !== ticket) return;
    const fresh = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    if (fresh) this.put(fresh, address);
    else location.assign(address);
  }

  put(fresh, address) {
    const { replay } = this;
    const at = Number(address.searchParams.get("at"));
    if (!this.active) {
      Object.assign(this, { kept: [...this.place.childNodes], last: replay.setup.last });
      // What it was asked for from lies over the board, or over the hand.
      document.querySelector(".more-ways").open = false;
    }
    if (replay.playing) replay.pause();
    this.active = true;
    if (replay.desk) replay.desk.complete = false;
    document.documentElement.classList.add("trying");
    const steps = [...fresh.querySelectorAll(".line a")].map((one) => ({ move: one.textContent, href: one.href }));
    this.keep(at, address, steps);
    slide(() => {
      for (const [place, piece] of Object.entries(PIECES)) become(document.querySelector(place), fresh.querySelector(piece)?.innerHTML ?? "");
    });
    const desk = fresh.getElementById("entry");
    desk.querySelector(".branch")?.remove();
    this.place.classList.remove("away");
    this.place.replaceChildren(desk);
    fold();
    replay.version = replay.wanted = at;
    replay.stage.mark(at);
    const walk = replay.desk?.walk ?? (this.walk ??= new Walk(document.querySelector(".stage"), (space) => this.active && this.choose(space), () => this.act("previous")));
    walk.prepare();
    bringIntoSight(replay.setup.you);
    if (!walk.refocus()) desk.focus({ preventScroll: true });
  }

  // A line that another one goes on with is a part of it, and has no branch of its own.
  keep(at, address, steps) {
    const alike = (one) => one.at === at && begins(steps, one.steps);
    let branch = [this.branch, ...this.branches].find((one) => one && alike(one));
    if (!branch) {
      const start = new URL(address);
      for (const name of ["try", "path", "move"]) start.searchParams.delete(name);
      branch = { at, steps, start: start.href };
      this.branches = this.branches.filter((one) => one.at !== at || !begins(one.steps, steps));
      this.branches.push(branch);
    }
    this.branch = branch;
    this.tried = steps.length;
  }

  // Puts the branches into the list of moves, and the ways through the present one on the controls.
  list() {
    for (const one of document.querySelectorAll(".moves-list .branch")) one.remove();
    for (const branch of this.branches) {
      const now = this.active && branch === this.branch;
      const entry = document.querySelector(`.moves-list [data-version="${branch.at}"]`)?.closest("li");
      if (!entry || !(now || branch.steps.length)) continue;
      const item = document.createElement("li");
      item.className = "branch";
      for (const [at, { move, href }] of branch.steps.entries()) {
        const link = document.createElement("a");
        Object.assign(link, { href, textContent: move, className: "entry" });
        if (now && at + 1 === this.tried) link.setAttribute("aria-current", "step");
        item.append(link, " ");
      }
      if (now) item.append(this.place.querySelector(".leave").cloneNode(true));
      entry.after(item);
    }
    if (!this.active) return;
    for (const name of ["first", "previous", "next", "last"]) this.replay.stage.link(name, this.goal(name));
    this.replay.stage.range.setAttribute("aria-valuetext", document.querySelector(".counter").textContent.trim());
  }

  // The address that an action leads to: along the line; undefined: it is none of the line's.
  goal(action) {
    const { start, steps } = this.branch;
    const { tried } = this;
    const to = { first: 0, previous: tried - 1, next: tried + 1, last: steps.length }[action];
    if (to === undefined || to === tried) return to === undefined ? to : null;
    return to === 0 ? start : steps[to - 1]?.href ?? null;
  }

  act(action) {
    const goal = this.goal(action);
    if (goal) this.load(new URL(goal));
    else if (action === "close" || (action === "previous" && !this.tried)) this.leave();
    else if (goal === undefined) return false;
    return true;
  }

  leave(version = this.branch.at) {
    this.active = false;
    this.ticket = null;
    document.documentElement.classList.remove("trying");
    const { replay } = this;
    this.place.replaceChildren(...this.kept);
    replay.version = NaN;
    replay.go(version);
    if (this.last < replay.setup.last) replay.desk?.catchUp();
  }
}
