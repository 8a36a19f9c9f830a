// Chat and notes beside a match, on the pages of players and of those who watch.
import { fetchOurs } from "../common/caller.js";
import { become } from "../common/morph.js";
import { localise } from "../common/times.js";
import { _, ngettext } from "../common/words.js";

const PLACE = ".beside";
const AFTER = ".after p";
const text = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";
const listMessages = (place = document) => [...place.querySelectorAll("[data-message]")];
const listRooms = () => [...document.querySelectorAll(".panel:has([data-message])")];
const findLast = (room) => Number(listMessages(room).at(-1).dataset.message);

export class Talk {
  constructor(replay) {
    this.replay = replay;
    this.read = new Map(listRooms().map((room) => [room.dataset.key, findLast(room)]));
    document.addEventListener("talk", () => this.listen());
    document.addEventListener("toggle", ({ target }) => {
      this.unread();
      if (target.matches(".panel")) this.newest();
    }, true);
    this.newest();
  }

  get waits() {
    return document.hidden || this.replay.desk?.sending;
  }

  async listen() {
    if (this.waits) return;
    const answer = await fetchOurs(this.replay.setup.match).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!this.waits) this.show(fresh);
  }

  // What stands beside the match, alone: the move that is being entered is not touched.
  show(page) {
    const fresh = page.querySelector(PLACE);
    if (!fresh) return;
    const before = listMessages().length;
    const known = text(document.querySelector(AFTER));
    become(document.querySelector(PLACE), fresh.innerHTML);
    // Whether the two play again is a matter of both.
    if (!this.replay.goesOn) become(document.querySelector(".desk-place"), page.querySelector(".desk-place").innerHTML);
    localise(document);
    this.mark();
    const fault = document.querySelector(`${PLACE} [role=alert]`);
    const newest = listMessages().at(-1);
    const again = text(document.querySelector(AFTER));
    if (again && again !== known) this.say(again);
    else if (fault) this.say(text(fault));
    else if (listMessages().length > before) this.say(_("New message: {who}: {said}", { who: text(newest.querySelector(".small")), said: text(newest.querySelector(".said-text")) }));
    else return;
    this.newest();
  }

  newest() {
    document.querySelector(".panel[open] .messages")?.scrollTo(0, 1e6);
  }

  say(told) {
    (this.replay.desk ?? this.replay).say(told);
  }

  // What has come into a room that is folded away stands on its tab until it is opened.
  unread() {
    for (const room of listRooms()) {
      const { key } = room.dataset;
      if (room.open) this.read.set(key, findLast(room));
      const count = listMessages(room).filter((one) => !one.matches(".mine") && one.dataset.message > (this.read.get(key) ?? 0)).length;
      const { dataset } = room.querySelector("summary");
      if (count) dataset.news = ngettext("{number} new", "{number} new", count);
      else delete dataset.news;
    }
  }

  // A note is tied to the step that is shown.
  mark() {
    this.unread();
    const step = document.querySelector("[data-step]");
    if (step) step.value = this.replay.version;
  }
}
