// Puts a step in the place of the one that is shown: the same pieces of HTML that the server
// puts there for a browser without a script.
import { become, prepare } from "../common/morph.js";
import { localise, soon } from "../common/times.js";
import { html } from "./frames.js";

const PARTS = { count: ".counter", told: ".told", shown: ".shown", others: ".others", meters: ".meters", event: "#event" };

// Pieces slide from where they were, for those who like things to move.
const SLIDE = { duration: 150, easing: "ease-out" };
const listPieces = () => document.querySelectorAll(".shown .board [data-token]");
const place = (piece) => piece.getAttribute("transform");

export function slide(change) {
  const before = new Map([...listPieces()].map((one) => [one.dataset.token, place(one)]));
  change();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const one of listPieces()) {
    const was = before.get(one.dataset.token);
    if (!was || was === place(one)) continue;
    const [[left, top], [x, y]] = [was, place(one)].map((at) => at.match(/-?[\d.]+/g).map(Number));
    one.animate({ translate: [`${left - x}px ${top - y}px`, "0px 0px"] }, SLIDE);
  }
}

// The server writes a step that leads nowhere as plain text; here it may lead on again.
function asLink(one) {
  if (one.localName === "a") return one;
  const link = document.createElement("a");
  for (const { name, value } of one.attributes) link.setAttribute(name, value);
  link.append(...one.childNodes);
  one.replaceWith(link);
  return link;
}

export class Stage {
  constructor(setup) {
    this.setup = setup;
    this.parts = {};
    for (const [part, selector] of Object.entries(PARTS)) {
      const element = document.querySelector(selector);
      if (element) this.parts[part] = element;
    }
    this.find();
    this.range = document.querySelector(".scrubber [type=range]");
    this.list = document.querySelector(".moves-list");
    // Before a page is in use its list of moves need not be laid out.
    soon(() => {
      this.size = this.list && new ResizeObserver(() => this.reveal());
      this.size?.observe(this.list);
    });
  }

  // What leads to other steps or marks this one: news exchanges it.
  find() {
    this.cursors = document.querySelectorAll(".cursor");
    this.links = new Map();
    for (const one of document.querySelectorAll(".steps [data-do], .ways-to-mistakes [data-do]")) {
      this.links.set(one.dataset.do, asLink(one));
    }
  }

  // What stands there now, as a frame: on the page of a player it can be more than a replay has.
  read() {
    return Object.fromEntries(Object.entries(this.parts).map(([part, one]) => [part, one.innerHTML]));
  }

  show(frame) {
    slide(() => {
      for (const [part, element] of Object.entries(this.parts)) become(element, html(frame, part));
    });
    localise(this.parts.told);
    this.mark(frame.version);
  }

  // Reads a step ahead, while nothing else is to be done.
  expect(frame) {
    if (frame) soon(() => Object.keys(this.parts).forEach((part) => prepare(html(frame, part))));
  }

  mark(version) {
    const { first, last } = this.setup;
    const at = version - first;
    const total = last - first;
    // A match that goes on has more moves by now than when this step was told.
    const moves = this.parts.count.querySelector(".total");
    if (moves) moves.textContent = this.setup.total;
    this.range.form.hidden = total < 2;
    this.range.max = last;
    this.range.value = version;
    this.range.setAttribute("aria-valuetext", this.parts.count.textContent.trim());
    for (const one of this.cursors) one.setAttribute("transform", `translate(${total ? (1000 * at) / total : 0} 0)`);
    for (const [name, found] of [["mistake-before", this.mistake(version, -1)], ["mistake", this.mistake(version, 1)]]) {
      if (this.links.has(name)) this.link(name, found !== undefined && this.address(found));
    }
    for (const field of document.querySelectorAll('#playing [name="at"]')) field.value = version;
    const whatIf = document.getElementById("what-if");
    if (whatIf) {
      const address = new URL(whatIf.href);
      address.searchParams.set("at", version);
      whatIf.href = address.href;
    }
    this.link("first", at > 0 && this.address(first));
    this.link("previous", at > 0 ? this.address(version - 1) : this.setup.before);
    this.link("next", at < total ? this.address(version + 1) : this.setup.following);
    this.link("last", at < total && this.address(last));
    if (this.list) this.current(version);
    this.marked?.();
  }

  // The mistake behind a step, or the one before it, as an analysis has found them.
  mistake(version, ahead) {
    const { mistakes } = this.setup;
    return ahead > 0 ? mistakes.find((one) => one > version) : mistakes.findLast((one) => one < version);
  }

  // What the flip leads to is what the address does not say now.
  turn(flip) {
    const link = document.querySelector('[data-do="flip"]');
    const address = new URL(link.href);
    if (flip) address.searchParams.delete("flip");
    else address.searchParams.set("flip", link.dataset.other);
    link.href = address.href;
  }

  link(name, address) {
    const one = this.links.get(name);
    one.classList.toggle("off", !address);
    if (address) {
      one.href = address;
      one.removeAttribute("aria-disabled");
      one.removeAttribute("role");
    } else {
      one.removeAttribute("href");
      one.setAttribute("role", "link");
      one.setAttribute("aria-disabled", "true");
    }
  }

  current(version) {
    const before = this.list.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.removeAttribute("id");
    const now = this.list.querySelector(`[data-version="${version}"]`);
    if (!now) return;
    now.id = "now";
    now.setAttribute("aria-current", "step");
    if (this.size) this.reveal();
  }

  // The step that is shown is in sight in the list, of whatever height that is.
  reveal() {
    const place = this.list.querySelector("[aria-current]")?.getBoundingClientRect();
    const box = this.list.getBoundingClientRect();
    if (place && (place.top < box.top || place.bottom > box.bottom)) this.list.scrollTop += place.top - box.top - box.height / 2;
  }

  address(version) {
    const address = new URL(this.setup.guest ? this.setup.match : location.href, location.href);
    address.searchParams.set("at", version);
    if (this.setup.flip) address.searchParams.set("flip", this.setup.flip);
    else if (!this.setup.guest) address.searchParams.delete("flip");
    for (const name of ["play", "path", "then", "pay", "move", "on", "ask"]) address.searchParams.delete(name);
    address.hash = "board";
    return address.href;
  }
}
