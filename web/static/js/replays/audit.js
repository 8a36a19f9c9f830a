// The chain of a match, checked again (docs/event-format.md, section on hashes and seals), and the
// badge that says so: green and a tick when the chain holds, what is wrong otherwise.
import { fetchOurs } from "../common/caller.js";
import { _ } from "../common/words.js";

const ZEROS = "0".repeat(64);

// RFC 8785 for what our events hold: names sorted by UTF-16 units, strings, whole numbers.
function encode(value) {
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  if (value === null || typeof value !== "object") {
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      throw new Error(_("An event holds a number that is not whole."));
    }
    return JSON.stringify(value);
  }
  const names = Object.keys(value).sort();
  return `{${names.map((one) => `${JSON.stringify(one)}:${encode(value[one])}`).join(",")}}`;
}

const hex = (bytes) => [...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));
const utf8 = (text) => new TextEncoder().encode(text);

async function isOpened(seal) {
  const salt = unhex(seal.salt);
  const value = utf8(encode(seal.value));
  const both = new Uint8Array(salt.length + value.length);
  both.set(salt);
  both.set(value, salt.length);
  return (await sha256(both)) === seal.commitment;
}

// Returns what was found, or throws with the first fault in a person's words.
async function verify(events, match) {
  let previous = ZEROS;
  let seals = 0;
  for (const [order, event] of events.entries()) {
    const name = _("Event {number}", { number: event.version });
    if (event.match !== match) throw new Error(_("{event} belongs to another match.", { event: name }));
    if (event.version !== order + 1) throw new Error(_("Event {number} is missing.", { number: order + 1 }));
    if (event.previous !== previous) throw new Error(_("{event} does not follow on the one before.", { event: name }));
    const { hash, ...rest } = event;
    rest.sealed = event.sealed.map(({ salt, value, ...kept }) => kept);
    if ((await sha256(utf8(encode(rest)))) !== hash) throw new Error(_("{event} is not what was hashed.", { event: name }));
    for (const seal of event.sealed) {
      if (seal.salt === undefined) continue;
      if (!(await isOpened(seal))) throw new Error(_("{event}: what was opened is not what was sealed.", { event: name }));
      seals += 1;
    }
    previous = hash;
  }
  return { events: events.length, seals, head: previous };
}

const canVerify = () => globalThis.crypto?.subtle !== undefined;

const tellVerifier = (match) =>
  _("It can be checked elsewhere, by: plybook verify {address}", {
    address: `${location.origin}/api/v1/matches/${match}/export`,
  });

export async function judge(badge, match) {
  const told = badge.querySelector(".verdict");
  const say = (state, text) => {
    badge.dataset.state = state;
    told.textContent = text;
  };
  if (!canVerify()) {
    say("absent", `${_("This browser has no WebCrypto here: it needs https, or localhost.")} ${tellVerifier(match)}`);
    return;
  }
  say("busy", _("Checking …"));
  try {
    const answer = await fetchOurs(badge.dataset.events);
    if (!answer.ok) throw new Error(_("The events could not be loaded: the server answers {status}.", { status: answer.status }));
    const { events } = await answer.json();
    const found = await verify(events, match);
    const checked = found.seals
      ? _("{events} events, {seals} opened seals checked in this browser. Head {head}", found)
      : _("{events} events checked in this browser. Head {head}", found);
    say("holds", `✓ ${checked}`);
  } catch (fault) {
    say("broken", `✗ ${fault.message}`);
  }
}
