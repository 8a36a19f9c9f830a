// A replay in the browser. Whatever it does, links and forms of the page do as well.
import { bringIntoSight, Zoom } from "../boards/pan.js";
import { soon } from "../common/times.js";
import { _ } from "../common/words.js";
import { awaitAnalysis } from "./analysis.js";
import { judge } from "./audit.js";
import { Follower, waitForStart } from "./follow.js";
import { Frames } from "./frames.js";
import { Stage } from "./stage.js";

const LONGEST_WAIT = 2000;
const SPEEDS = ["0.5", "1", "2", "4", "8"];
const TYPING = "input:not([type=range]), textarea, select, [contenteditable]";
const PRESSED = "button, summary, a[href]";
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

class Replay {
  constructor(board, { desk, talk, whatIf }) {
    const setup = JSON.parse(board.dataset.replay);
    const asked = new URLSearchParams(location.search);
    setup.flip = asked.get("flip");
    this.setup = setup;
    this.stage = new Stage(setup);
    this.frames = new Frames(setup);
    this.version = Number(this.stage.range.value);
    this.wanted = this.version;
    this.frames.known.set(this.version, { version: this.version, ...this.stage.read() });
    this.speed = document.querySelector('#playing [name="play"]');
    this.button = document.querySelector(".play");
    this.follower = new Follower(this);
    this.zoom = new Zoom(document.querySelector(".view") ?? board);
    this.talk = setup.guest ? null : talk(this);
    this.whatIf = setup.guest ? null : whatIf(this);
    this.desk = setup.yours ? desk(this) : null;
    this.stage.mark(this.version);
    requestAnimationFrame(() => this.bring());
    // A guest on another page plays by itself, unless its reader wants nothing to move.
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (asked.has("play") || (setup.guest && !still)) this.play();
    this.loaded = new Promise(soon).then(() => this.load("near"));
  }

  load(what) {
    return (this.loaded = this.frames[what](this.version).catch(() => this.say(_("Not all steps could be loaded."))));
  }

  // On a page about something else a board is always whole.
  bring() {
    if (!this.setup.guest) bringIntoSight(this.setup.you, this.atEnd);
  }

  get goesOn() {
    return Boolean(this.setup.stream);
  }

  get atEnd() {
    return this.wanted >= this.setup.last;
  }

  async go(version) {
    version = Math.max(this.setup.first, Math.min(this.setup.last, version));
    if (this.whatIf?.active) return this.whatIf.leave(version);
    this.wanted = version;
    if (version === this.version) return;
    // The present position of one's own running match has more on it than a replay: a move to enter.
    if (this.desk && version === this.setup.last && !this.desk.complete) {
      await this.desk.load(this.desk.address, {});
      return;
    }
    let frame = this.frames.at(version);
    try {
      frame ??= await this.frames.need(version);
    } catch {
      location.assign(this.stage.address(version));
      return;
    }
    if (this.wanted !== version || !frame) return;
    const ahead = version - this.version;
    this.version = version;
    this.stage.show(frame);
    this.desk?.away();
    this.bring();
    this.talk?.mark();
    // Whoever steps goes on without a connection, too; on a page about something else nobody needs to.
    if (this.setup.guest) this.load("near");
    else if (!this.stepped) this.load("rest");
    this.stepped = true;
    if (Math.abs(ahead) === 1) this.stage.expect(this.frames.at(version + ahead));
    this.remember();
    if (this.atEnd) this.follower.seen();
  }

  // The address follows at leisure: browsers allow few changes of it in a short time.
  remember() {
    if (this.setup.guest) return;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      if (this.desk) this.desk.write(false);
      else history.replaceState(null, "", this.stage.address(this.version));
    }, 200);
  }

  play() {
    if (this.atEnd) this.go(this.setup.first);
    this.playing = true;
    this.face("Pause");
    this.wait();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.face("Play");
  }

  face(name) {
    this.button.querySelector("span").textContent = _(name);
    const shape = name === "Pause" ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 2v12l9-6z";
    this.button.querySelector("path").setAttribute("d", shape);
    // Eight steps a second are too many to be read out.
    document.querySelector(".told").setAttribute("aria-live", this.playing ? "off" : "polite");
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const { following } = this.setup;
      if (this.atEnd && following) return location.assign(following.replace("#", `&play=${this.speed.value}#`));
      await this.go(this.version + 1);
      if (!this.playing) return;
      if (this.atEnd && !following) this.pause();
      else this.wait();
    }, this.delay());
  }

  delay() {
    if (this.speed.value !== "waits") return 1000 / Number(this.speed.value);
    const [now, next] = [0, 1].map((ahead) => Date.parse(this.frames.at(this.version + ahead)?.at));
    return Number.isNaN(next - now) ? LONGEST_WAIT : Math.min(LONGEST_WAIT, next - now);
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.speed.value);
    this.speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, (at < 0 ? 1 : at) + by))];
    this.say(_("{number} a second", { number: this.speed.value }));
    if (this.playing) this.wait();
  }

  say(text) {
    document.querySelector(".said").textContent = text;
  }

  async copy() {
    const address = this.stage.address(this.version);
    try {
      await navigator.clipboard.writeText(address);
      this.say(_("The address of this step is copied."));
    } catch {
      history.replaceState(null, "", address);
      this.say(_("This browser does not let us copy; the address bar has the address of this step."));
    }
  }

  help() {
    const dialog = document.getElementById("keys");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  // The other side of the same step; a move that is being entered stays.
  async flip() {
    const { setup, frames, version } = this;
    const { href } = document.querySelector('[data-do="flip"]');
    if (this.whatIf?.active) return location.assign(href);
    setup.flip = new URL(href).searchParams.get("flip");
    frames.known.clear();
    if (this.desk) this.desk.complete = false;
    if (this.desk && this.atEnd) await this.desk.load(this.desk.address, {});
    else this.stage.show(await frames.need(version));
    this.stage.turn(setup.flip);
    this.remember();
    frames.rest(version).catch(() => this.say(_("Not all steps could be loaded.")));
  }

  larger() {
    this.zoom.by(1.25);
  }

  smaller() {
    this.zoom.by(0.8);
  }

  close() {
    document.getElementById("keys").close();
    if (this.playing) this.pause();
  }

  act(action, held) {
    if (this.whatIf?.active && this.whatIf.act(action)) return;
    const { first, last, page, before, following } = this.setup;
    // Other matches of the series; a key that is held down stops at the end of this one.
    const beyond = {
      next: this.atEnd && following, "next-match": following,
      previous: this.wanted <= first && before, "match-before": before,
    }[action];
    if (beyond) return held || location.assign(beyond);
    const steps = {
      first, last, next: this.wanted + 1, previous: this.wanted - 1,
      on: this.wanted + page, back: this.wanted - page,
      mistake: this.stage.mistake(this.wanted, 1) ?? this.wanted,
      "mistake-before": this.stage.mistake(this.wanted, -1) ?? this.wanted,
    };
    if (action in steps) {
      if (this.playing) this.pause();
      this.go(steps[action]);
    } else if (action === "play") this.playing ? this.pause() : this.play();
    else if (action === "faster") this.faster(1);
    else if (action === "slower") this.faster(-1);
    else if (action === "verify") judge(document.getElementById("verdict"), this.id);
    else this[action]?.();
  }

  // Something around the board was exchanged.
  renew() {
    this.stage.find();
    awaitAnalysis();
  }

  get id() {
    return this.setup.match.split("/").pop();
  }
}

// Keys of the table that the page brings along. Whoever types, or has the focus on something that
// needs the key itself, is left alone.
function needsItself(target, key) {
  if (target.closest?.(TYPING)) return true;
  if (target.closest?.("dialog")) return key !== "?";
  if (key === "Escape" && target.closest?.("html:not(.trying) .desk-place")) return true;
  if ([" ", "Enter"].includes(key)) return target.closest?.(PRESSED) !== null;
  if (!MOVES.includes(key)) return false;
  if (target.closest?.("input[type=range]")) return true;
  return key.startsWith("Arrow") && target.scrollWidth > target.clientWidth && target.tabIndex >= 0;
}

function listen(keys, act) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (!Object.hasOwn(keys, key) || needsItself(target, key)) return;
    // Escape has uses of its own: a dialog closes by it, a browser stops loading.
    if (key !== "Escape") event.preventDefault();
    act(keys[key], event.repeat);
  });
}

// What lay over the board is done.
function shut(ways) {
  ways.open = false;
  ways.querySelector("summary").focus();
}

function wire(replay) {
  listen(replay.setup.keys, (...key) => replay.act(...key));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const found = event.target.closest?.("[data-do], [data-version]");
    if (!found) return;
    event.preventDefault();
    if (found.dataset.version) replay.go(Number(found.dataset.version));
    else if (found.getAttribute("aria-disabled") !== "true") replay.act(found.dataset.do);
    if (["flip", "copy"].includes(found.dataset.do)) shut(found.closest(".more-ways"));
  });
  document.getElementById("playing").addEventListener("submit", (event) => {
    event.preventDefault();
    replay.act("play");
  });
  replay.speed.addEventListener("change", () => replay.playing && replay.wait());
  replay.stage.range.addEventListener("input", ({ target }) => replay.go(Number(target.value)));
  document.querySelector(".scrubber").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(".course-place").addEventListener("click", (event) => {
    if (event.defaultPrevented || event.target.closest("a")) return;
    const box = event.currentTarget.querySelector(".graph svg")?.getBoundingClientRect();
    if (!box) return;
    const { first, last } = replay.setup;
    replay.go(first + Math.round(((event.clientX - box.left) / box.width) * (last - first)));
  });
}

// Begins the replay of a page, if it has one. Where there is more to do than to look on, `parts`
// makes of it the `desk` of a seat and the `talk` beside.
export function begin(parts) {
  const board = document.querySelector("[data-replay]");
  if (board?.querySelector(".scrubber")) {
    const replay = new Replay(board, parts);
    wire(replay);
    awaitAnalysis();
    globalThis.plybook = replay;
  } else if (board) waitForStart(JSON.parse(board.dataset.replay));
}
