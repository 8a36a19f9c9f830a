// The badge: green and a tick when the chain holds, what is wrong otherwise.
import { fetchOurs } from "./caller.js";
import { canVerify, verify } from "./chain.js";
import { _ } from "./words.js";

const verifier = (match) =>
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
    say("absent", `${_("This browser has no WebCrypto here: it needs https, or localhost.")} ${verifier(match)}`);
    return;
  }
  say("busy", _("Checking …"));
  try {
    const answer = await fetchOurs(badge.dataset.events);
    if (!answer.ok) throw new Error(_("The events cannot be had: the server answers {status}.", { status: answer.status }));
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
