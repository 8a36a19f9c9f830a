// The steps of a replay: fetched around the one that is shown, and all of them once somebody steps.
import { fetchOurs } from "../common/caller.js";
import { _ } from "../common/words.js";

const TRIES = 3;
const AHEAD = 10;

export class Frames {
  constructor(setup) {
    this.setup = setup;
    this.known = new Map();
    this.coming = new Map();
    this.last = setup.last;
  }

  async load(from, to) {
    const address = new URL(this.setup.frames, location.href);
    address.searchParams.set("from", from);
    address.searchParams.set("to", to);
    if (this.setup.flip) address.searchParams.set("flip", this.setup.flip);
    const answer = await patiently(address);
    if (!answer.ok) throw new Error(_("The server answers {status}.", { status: answer.status }));
    const { pieces, frames } = await answer.json();
    for (const frame of frames) this.known.set(frame.version, { ...frame, pieces });
  }

  at(version) {
    return this.known.get(version);
  }

  async need(version) {
    // Who waited for a span that was asked for before this step was there asks once more.
    for (let left = 2; left && !this.known.has(version); left -= 1) await this.span(version);
    return this.known.get(version);
  }

  // What a reader may want next: a page that is only looked at costs no more than that.
  async near(version) {
    for (const at of [version, version + AHEAD, version - AHEAD]) await this.span(at);
  }

  // From the shown step outwards, one request at a time.
  async rest(version) {
    const { first, most } = this.setup;
    for (let at = version; at < this.last + most; at += most) await this.span(at);
    for (let at = version; at > first - most; at -= most) await this.span(at);
  }

  // Steps come in spans of `most`; two who want the same one wait for one answer.
  span(version) {
    const { first, most } = this.setup;
    const at = Math.max(first, Math.min(this.last, version)) - first;
    const begin = first + at - (at % most);
    if (!this.coming.has(begin)) {
      this.coming.set(begin, this.fill(begin, Math.min(this.last, begin + most - 1)).finally(() => this.coming.delete(begin)));
    }
    return this.coming.get(begin);
  }

  async fill(from, to) {
    while (from <= to && this.known.has(from)) from += 1;
    while (from <= to && this.known.has(to)) to -= 1;
    if (from <= to) await this.load(from, to);
  }
}

// Steps are made for one reader at a time, and a server that is busy says when to ask again.
const patiently = async (address) => {
  for (let left = TRIES; ; left -= 1) {
    const answer = await fetchOurs(address, { headers: { Accept: "application/json" } });
    const seconds = Number(answer.headers.get("Retry-After"));
    if (!left || ![429, 503].includes(answer.status) || !seconds) return answer;
    await new Promise((then) => setTimeout(then, seconds * 1000));
  }
};

export const html = (frame, part) =>
  typeof frame[part] === "string" ? frame[part] : frame[part].map((n) => frame.pieces[n]).join("");
