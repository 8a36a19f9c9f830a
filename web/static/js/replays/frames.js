// The steps of a replay: fetched around the one that is shown, then all of them.
import { fetchOurs } from "../common/caller.js";
import { _ } from "../common/words.js";

const TRIES = 3;

export class Frames {
  constructor(setup) {
    this.setup = setup;
    this.known = new Map();
    this.last = setup.last;
  }

  // Fetches what is missing of the span; two who want the same wait for one answer.
  async load(from, to) {
    const { known, setup } = this;
    const address = new URL(setup.frames, location.href);
    address.searchParams.set("from", from);
    address.searchParams.set("to", to);
    if (setup.flip) address.searchParams.set("flip", setup.flip);
    const answer = await patiently(address);
    if (!answer.ok) throw new Error(_("The server answers {status}.", { status: answer.status }));
    const { pieces, frames } = await answer.json();
    for (const frame of frames) known.set(frame.version, { ...frame, pieces });
    return frames;
  }

  at(version) {
    return this.known.get(version);
  }

  async need(version) {
    if (!this.known.has(version)) {
      const half = this.setup.most >> 2;
      await this.load(Math.max(this.setup.first, version - half), version + half);
    }
    return this.known.get(version);
  }

  // In the background, from the shown step outwards, one request at a time.
  async rest(version) {
    const { first, most } = this.setup;
    for (let from = version; from <= this.last; from += most) await this.span(from, most);
    for (let from = version - most; from > first - most; from -= most) await this.span(from, most);
  }

  async span(from, most) {
    const to = Math.min(this.last, from + most - 1);
    from = Math.max(this.setup.first, from);
    while (from <= to && this.known.has(from)) from += 1;
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
