// A match that goes on: new events come by themselves. A reader at the end goes along; one who
// looks at an earlier step is told how many moves there are by now.
import { EVERY, fetchOurs, heed } from "../common/caller.js";
import { localise } from "../common/times.js";
import { _, ngettext } from "../common/words.js";

// What news changes.
export const AROUND = [".turns", ".moves-list", ".course-place", ".standing", ".head-clock", ".kicker", ".clocks-place", ".practice-place", ".facts", ".sights-place", ".series", ".analysis-place"];
const PATIENCE = 150;
const DOUBT = 4000;
const LONGEST_DOUBT = 15000;
const AWAY = 60000;

// A backup has taken the place of the match: the page begins anew with the present position. What
// was decided on a version of before is not decided any more.
export function beginAnew() {
  const address = new URL(location.href);
  for (const name of ["at", "play", "on"]) address.searchParams.delete(name);
  address.hash = "";
  location.replace(address);
}

// A match that waits for its second player: the page comes anew when it begins. Whoever joins
// here is on the way to it already, and would be stopped.
export function waitForStart({ stream, resume, ends }) {
  if (!stream) return;
  const source = new EventSource(`${stream}?after=${resume}`);
  heed(source);
  source.addEventListener("reset", beginAnew);
  source.addEventListener("replaced", () => {
    source.close();
    setTimeout(() => location.reload(), AWAY);
  });
  source.onmessage = ({ data }) => {
    if (["match-started", ...ends].includes(JSON.parse(data).kind)) setTimeout(() => location.reload(), PATIENCE);
  };
  addEventListener("submit", (event) => {
    if (!event.defaultPrevented) source.close();
  });
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), LONGEST_DOUBT);
  };
}

export class Follower {
  constructor(replay) {
    this.replay = replay;
    this.known = this.newest = replay.setup.last;
    this.wait = DOUBT;
    this.link = document.getElementById("news");
    this.sign = document.getElementById("connection");
    this.begin();
    document.addEventListener("visibilitychange", () => this.turned());
    document.addEventListener("turns", () => document.hidden && replay.goesOn && this.catchUp());
    addEventListener("offline", () => this.connection(_("You are offline. The page goes on when the connection is back.")));
    addEventListener("online", () => {
      this.connection("");
      this.catchUp();
    });
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      replay.go(replay.setup.last);
    });
  }

  // A browser opens few connections to one house, for all its pages together: only a page that is
  // looked at holds one. The others look for news now and then, so that their titles stay true; whose
  // turns are counted hears of a turn by that.
  begin() {
    if (!this.replay.goesOn) return;
    if (document.hidden) this.polling = document.querySelector(".turns") ? 0 : setInterval(() => this.catchUp(), EVERY);
    else this.listen();
  }

  stop() {
    this.source?.close();
    for (const timer of [this.polling, this.again, this.doubt]) clearTimeout(timer);
    this.doubt = null;
  }

  turned() {
    this.stop();
    if (!document.hidden && this.replay.goesOn) this.catchUp();
    this.begin();
  }

  listen() {
    const { stream, resume } = this.replay.setup;
    const source = (this.source = new EventSource(`${stream}?after=${resume}`));
    // A match on a page about something else has a stream that tells of nothing but it.
    if (!this.replay.setup.guest) heed(source);
    source.addEventListener("reset", () => {
      this.stop();
      beginAnew();
    });
    // Newer pages of the same reader have all the connections that there are for one.
    source.addEventListener("replaced", () => {
      this.stop();
      this.polling = setInterval(() => this.catchUp(), AWAY);
      if (this.sign) this.sign.textContent = _("News comes once a minute: many pages are open");
    });
    source.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      this.newest = event.version;
      // A move and what follows from it come together; one's own the page has already.
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.newest > this.replay.setup.last && this.catchUp(), PATIENCE);
    };
    source.onerror = () => {
      if (!this.replay.goesOn) return;
      // Streams end now and then and begin anew by themselves; only what lasts is told.
      this.doubt ??= setTimeout(() => this.connection(_("The connection is lost; trying again …")), DOUBT);
      if (source.readyState === EventSource.CLOSED && this.replay.goesOn) this.retry();
    };
    source.onopen = () => {
      clearTimeout(this.doubt);
      this.doubt = null;
      this.wait = DOUBT;
      this.connection("");
    };
  }

  // The server takes no stream at present: the page looks for news itself, and asks again.
  retry() {
    this.again = setTimeout(() => {
      this.catchUp();
      this.listen();
    }, this.wait);
    this.wait = Math.min(LONGEST_DOUBT, 2 * this.wait);
  }

  // How the page hears of news, for all to see; empty: as it should be.
  connection(text) {
    if (text || this.lost) this.replay.say(text || _("The connection is back."));
    this.lost = text !== "";
    if (!this.sign || !this.replay.goesOn) return;
    this.sign.dataset.state = this.lost ? "lost" : "live";
    this.sign.textContent = text || _("Live: news comes by itself");
  }

  // The page itself knows what has changed around the board: its list, its graph, its heading.
  async catchUp() {
    const { replay } = this;
    if (replay.desk) return replay.desk.catchUp();
    const wasAtEnd = replay.atEnd && !replay.playing && !replay.whatIf?.active;
    const address = new URL(replay.stage.address(replay.version), location.href);
    address.searchParams.set("since", replay.setup.resume);
    const answer = await fetchOurs(address).catch(() => null);
    // The step that is shown is not there any more.
    if (answer?.status === 404) return beginAnew();
    if (!answer?.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const board = fresh.querySelector("[data-replay]");
    if (!board?.querySelector(".scrubber")) return;
    const { last, stream, resume, known, total, following, mistakes } = JSON.parse(board.dataset.replay);
    if (!known) return beginAnew();
    const before = replay.setup.last;
    if (last <= before) return;
    for (const place of AROUND) {
      const [old, found] = [document, fresh].map((page) => page.querySelector(place));
      if (old && found) old.replaceChildren(...found.childNodes);
    }
    document.title = fresh.title;
    localise(document);
    Object.assign(replay.setup, { last, stream, resume, total, mistakes });
    if (!replay.setup.guest) replay.setup.following = following;
    replay.frames.last = last;
    this.over();
    replay.renew();
    replay.stage.mark(replay.version);
    if (wasAtEnd) replay.go(last);
    else this.tell(fresh, last);
    return undefined;
  }

  // No event comes any more; of what is said then the stream tells while it stands. What was hidden
  // lies open, at earlier steps too.
  over() {
    const { replay } = this;
    if (replay.goesOn) return;
    for (const timer of [this.polling, this.again, this.doubt]) clearTimeout(timer);
    if (this.sign) this.sign.hidden = true;
    if (this.ended) return;
    this.ended = true;
    replay.frames.known.clear();
  }

  // What is new is what came since the reader was at the end.
  tell(fresh, last) {
    const moves = [...fresh.querySelectorAll(".moves-list .entry:not(.aside)")];
    const count = moves.filter((one) => Number(one.dataset.version) > this.known).length;
    const number = count || last - this.known;
    this.link.textContent = count || !moves.length
      ? ngettext("{number} new move", "{number} new moves", number)
      : ngettext("{number} new event", "{number} new events", number);
    this.link.hidden = false;
    this.replay.say(this.link.textContent);
  }

  seen() {
    this.known = this.replay.setup.last;
    this.link.hidden = true;
  }
}
