// The desk of a seat: steps of a move, its preview, forms. Each is a link or a form of the page;
// here the page that it leads to is fetched, and what differs is put in its place. So a move half
// entered outlives a lost connection, and what is sent twice counts once.
import { Walk } from "../boards/grid.js";
import { bringIntoSight } from "../boards/pan.js";
import { persist } from "../common/caller.js";
import { become } from "../common/morph.js";
import { fold } from "../common/page.js";
import { localise } from "../common/times.js";
import { _, ngettext } from "../common/words.js";
import { AROUND, beginAnew } from "../replays/follow.js";
import { slide } from "../replays/stage.js";

const BESIDE = [".desk-place", ".beside", ...AROUND];
const STEP = [".counter", ".told", ".shown", ".others", ".meters", "#event"];
const ENTERED = ["path", "then", "pay", "move", "on", "ask"];
const text = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";
// Parts of a page become sentences; those that are have their full stop already.
const sentences = (parts) => parts.filter(Boolean).map((one) => (/[.!?…:]$/.test(one) ? one : `${one}.`)).join(" ");

export class Desk {
  constructor(replay) {
    this.replay = replay;
    this.place = document.querySelector(".desk-place");
    this.path = new URL(replay.setup.match, location.href).pathname;
    this.address = this.draft(location.href);
    this.complete = !new URLSearchParams(location.search).has("at");
    this.walk = new Walk(document.querySelector(".stage"), (space, still) => this.choose(space, still), () => this.stepBack());
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("submit", (event) => this.submitted(event));
    this.place.addEventListener("keydown", (event) => event.key === "Escape" && !replay.whatIf?.active && this.stepBack());
    addEventListener("popstate", () => this.went());
  }

  // The address of the move being entered, without the step that the replay shows.
  draft(address) {
    const found = new URL(address, location.href);
    const kept = new URL(this.path, location.href);
    for (const [name, value] of found.searchParams) {
      if (ENTERED.includes(name)) kept.searchParams.append(name, value);
    }
    return kept;
  }

  clicked(event) {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.("[data-walk]")) this.walk.start();
    const link = event.target.closest?.("a[href]");
    if (!link?.closest(".desk-place, .shown, .beside")) return;
    // A link of a picture has an address of its own kind.
    const address = new URL(link.getAttribute("href"), location.href);
    if (address.pathname !== this.path || address.searchParams.has("at")) return;
    event.preventDefault();
    // Who points at something sees it: nothing else is brought into sight for them.
    this.load(address, { push: true, from: link, still: event.detail > 0 || link.closest(".shown") !== null });
  }

  submitted(event) {
    const form = event.target;
    if (event.defaultPrevented || !form.closest(".desk-place, .beside")) return;
    const action = new URL(form.getAttribute("action"), location.href);
    if (!action.pathname.startsWith(this.path)) return;
    event.preventDefault();
    if (form.method === "post") this.send(form, event.submitter);
    else {
      action.search = new URLSearchParams(new FormData(form, event.submitter));
      this.load(action, { push: true, from: form });
    }
  }

  // At another step than the present one there is nothing to choose.
  away() {
    this.place.classList.toggle("away", !this.replay.atEnd);
  }

  choose(space, still) {
    if (this.replay.whatIf?.active) return this.replay.whatIf.choose(space);
    const link = document.querySelector(`.shown a.way[data-space="${CSS.escape(space)}"]`);
    if (link) return this.load(link.getAttribute("href"), { push: true, still });
    if (!this.place.querySelector(".choice")) return this.say(_("This cannot be chosen now."));
    // The server knows the rule that forbids it.
    const address = new URL(this.address);
    address.searchParams.append("path", space);
    return this.load(address, { trial: true, still });
  }

  stepBack() {
    this.walk.walking = Boolean(this.walk.space);
    this.place.querySelector(".ways-back a")?.click();
  }

  went() {
    const at = new URLSearchParams(location.search).get("at");
    if (at && this.complete) this.replay.go(Number(at));
    else this.load(location.href, {});
  }

  // News: the move that is being entered stays, as far as it is still possible.
  catchUp() {
    const address = new URL(this.address);
    if (!address.searchParams.has("on")) address.searchParams.set("on", this.replay.setup.last);
    return this.load(address, { quiet: true });
  }

  async load(address, { push = false, quiet = false, trial = false, from = null, still = false }) {
    // What a person asks for comes first; news are told with it, or right after it.
    if (this.sending || (quiet && this.asking)) return;
    this.asking = !quiet;
    const goal = this.draft(address);
    const asked = new URL(goal);
    asked.searchParams.set("since", this.replay.setup.resume);
    if (this.replay.setup.flip) asked.searchParams.set("flip", this.replay.setup.flip);
    const ticket = (this.ticket = {});
    const found = await persist(asked, {}, () => this.ticket === ticket, () => this.lost());
    if (!found || this.ticket !== ticket || this.sending) return;
    this.asking = false;
    this.found();
    this.take(found, { goal, push, quiet, trial, from, still });
    this.checkNews();
  }

  checkNews() {
    const { follower, setup } = this.replay;
    if (follower.newest > setup.last) this.catchUp();
  }

  async send(form, button) {
    if (this.sending) return;
    this.sending = true;
    const body = new URLSearchParams(new FormData(form, button));
    form.setAttribute("aria-busy", "true");
    if (button) button.disabled = true;
    const action = new URL(form.getAttribute("action"), location.href);
    const options = { method: "POST", body };
    const found = await persist(action, options, () => true, () => this.lost());
    this.sending = this.asking = false;
    this.ticket = null;
    form.removeAttribute("aria-busy");
    if (button) button.disabled = false;
    this.found();
    if (found.answer.ok) form.reset();
    this.take(found, { goal: this.draft(found.answer.url), push: found.answer.ok, from: form, still: true });
    this.checkNews();
  }

  lost() {
    this.isLost = true;
    this.replay.follower.connection(_("The connection is lost. What you entered is kept; trying again …"));
  }

  found() {
    if (this.isLost) this.replay.follower.connection("");
    this.isLost = false;
  }

  // Puts a page in the place of the present one.
  take({ answer, body }, { goal, push, quiet, trial, from, still = false }) {
    const fresh = new DOMParser().parseFromString(body, "text/html");
    const board = fresh.querySelector("[data-replay]");
    if (new URL(answer.url).pathname.startsWith(this.path) && board?.querySelector(".scrubber")) {
      const setup = JSON.parse(board.dataset.replay);
      if (!setup.known) return beginAnew();
      if (setup.last < this.replay.setup.last) return;
      if (from?.closest(".beside")) {
        this.replay.talk.show(fresh);
        return;
      }
      this.put(fresh, setup, { quiet });
      // A move that was being entered stays what was decided on; the page says what came since.
      if (answer.ok && !quiet && !trial) this.address = goal;
      this.write(push && answer.ok);
      this.tell(quiet, still);
      if (from?.closest(".listed, .typing")) this.showBoard();
    } else if (answer.ok) location.assign(answer.url);
    else this.say(sentences([fresh.querySelector("h1"), fresh.querySelector("main p")].map(text)), true);
  }

  put(fresh, setup, { quiet }) {
    const { replay } = this;
    const inside = this.walk.inside;
    // Who tries a line is not disturbed.
    const trying = replay.whatIf?.active;
    const here = !trying && (!quiet || (replay.atEnd && !replay.playing));
    slide(() => {
      for (const place of here ? [...BESIDE, ...STEP] : trying ? BESIDE.slice(1) : BESIDE) {
        const [old, found] = [document, fresh].map((page) => page.querySelector(place));
        if (old && found) become(old, found.innerHTML);
      }
    });
    document.title = fresh.title;
    localise(document);
    fold();
    const { last, yours, stream, resume, you, total, following, mistakes } = setup;
    Object.assign(replay.setup, { last, yours, stream, resume, you, total, following, mistakes });
    replay.follower.over();
    replay.frames.last = setup.last;
    replay.renew();
    if (here) {
      if (replay.playing) replay.pause();
      replay.version = replay.wanted = setup.last;
      const shown = { version: setup.last, at: null, ...replay.stage.read() };
      replay.frames.known.set(setup.last, shown);
      replay.follower.seen();
    } else {
      replay.frames.known.delete(setup.last);
      replay.follower.tell(fresh, setup.last);
    }
    this.complete = here;
    replay.stage.mark(replay.version);
    replay.talk.mark();
    this.walk.prepare();
    this.away();
    if (here) bringIntoSight(you, true);
    if (inside) this.walk.restore();
  }

  // Who chose from a list far below goes on at the board.
  showBoard() {
    const board = document.querySelector(".shown .board");
    const { top, bottom } = board.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) board.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  write(push) {
    const address = new URL(this.address);
    if (this.replay.setup.flip) address.searchParams.set("flip", this.replay.setup.flip);
    if (!this.replay.atEnd) address.searchParams.set("at", this.replay.version);
    if (push && address.href !== location.href) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  // What changed, for those who do not see it; and where the keyboard goes on.
  tell(quiet, still) {
    const preview = this.place.querySelector(".preview");
    const fault = this.place.querySelector("[role=alert]");
    const heading = text(this.place.querySelector("h2"));
    const news = sentences([...this.place.querySelectorAll(".news p, .news li")].map(text));
    const lost = text(this.place.querySelector(".bar > .warning"));
    const ended = this.replay.goesOn ? "" : text(document.querySelector(".standing"));
    if (quiet) return (news || ended) && this.say(sentences([news, ended || heading]));
    if (preview?.dataset.once !== undefined && !preview.querySelector(".warning")) {
      return this.send(preview.querySelector("form"), preview.querySelector("button"));
    }
    if (preview) this.say(["h3", ".outcome", ".reckoning", ".warning"].map((one) => text(preview.querySelector(one))).join(" "));
    else if (fault) this.say(text(fault));
    else this.say(sentences([lost, news, ended, heading, ...this.next()]));
    return this.focus(preview, still);
  }

  next() {
    const taken = [...this.place.querySelectorAll(".taken li")].map(text);
    const titles = [...this.place.querySelectorAll(".next h3")].map(text);
    const count = this.place.querySelectorAll(".choice").length;
    return count ? [...(taken.length ? [_("Chosen: {steps}", { steps: taken.join(", ") })] : []), ...titles, ngettext("{number} way to go on", "{number} ways to go on", count)] : taken;
  }

  focus(preview, still) {
    if (!preview && this.walk.refocus()) return;
    const goal = ["button", ".sure a, [aria-invalid], .send-turn button", ".choice"]
      .map((one, at) => (at ? this.place : preview)?.querySelector(one))
      .find(Boolean);
    if (goal) goal.focus({ preventScroll: still });
    else (this.place.querySelector(".desk") ?? document.querySelector(".standing")).focus({ preventScroll: true });
  }

  say(told, visibly = false) {
    document.getElementById("desk-said").textContent = told;
    document.getElementById("desk-said").classList.toggle("visually-hidden", !visibly);
  }
}
