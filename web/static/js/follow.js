// A match that goes on: new events come by themselves. A reader at the end goes along; one who
// looks at an earlier step is told how many moves there are by now.
import { localise } from "./times.js";

const POLL = 15000;
const PATIENCE = 150;

export class Follower {
  constructor(replay) {
    this.replay = replay;
    this.known = replay.setup.last;
    this.link = document.getElementById("news");
    const { stream, poll, last } = replay.setup;
    if (stream) this.listen(`${stream}?after=${last}`);
    else if (poll) setInterval(() => this.catchUp(), POLL);
    this.link.addEventListener("click", (event) => {
      if (replay.setup.yours) return;
      event.preventDefault();
      replay.go(replay.setup.last);
    });
  }

  listen(address) {
    const source = new EventSource(address);
    source.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      // A move and what follows from it come together.
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.catchUp(), PATIENCE);
      if (["match-ended", "match-aborted"].includes(event.kind)) source.close();
    };
    source.onerror = () => this.connection("The connection is lost; trying again …");
    source.onopen = () => this.connection("");
  }

  connection(text) {
    if (text || this.lost) this.replay.say(text);
    this.lost = text !== "";
  }

  // The page itself knows what has changed around the board: its list, its graph, its heading.
  async catchUp() {
    const { replay } = this;
    const wasAtEnd = replay.atEnd && !replay.playing;
    const address = replay.stage.address(replay.version);
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const board = fresh.querySelector("[data-replay]");
    if (!board?.querySelector(".scrubber")) return;
    const { last } = JSON.parse(board.dataset.replay);
    const before = replay.setup.last;
    if (last <= before) return;
    for (const place of [".moves-list", ".graph", ".legend", ".standing", ".kicker"]) {
      const [old, found] = [document, fresh].map((page) => page.querySelector(place));
      if (old && found) old.replaceChildren(...found.childNodes);
    }
    localise(document);
    replay.setup.last = last;
    replay.frames.last = last;
    replay.stage.cursor = document.querySelector(".cursor");
    replay.stage.mark(replay.version);
    if (wasAtEnd && !replay.setup.yours) replay.go(last);
    else this.tell(fresh, last);
  }

  // What is new is what came since the reader was at the end.
  tell(fresh, last) {
    const moves = [...fresh.querySelectorAll(".moves-list .entry:not(.aside)")];
    const count = moves.filter((one) => Number(one.dataset.version) > this.known).length;
    const number = count || last - this.known;
    const thing = count || !moves.length ? "move" : "event";
    this.link.textContent = `${number} new ${thing}${number === 1 ? "" : "s"}`;
    this.link.hidden = false;
    this.replay.say(this.link.textContent);
  }

  seen() {
    this.known = this.replay.setup.last;
    this.link.hidden = true;
  }
}
