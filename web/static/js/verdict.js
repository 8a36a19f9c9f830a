// The badge: green and a tick when the chain holds, what is wrong otherwise.
import { canVerify, verify } from "./chain.js";

const verifier = (match) =>
  `It can be checked elsewhere, by: plybook verify ${location.origin}/api/v1/matches/${match}/export`;

export async function judge(badge, match) {
  const told = badge.querySelector(".verdict");
  const say = (state, text) => {
    badge.dataset.state = state;
    told.textContent = text;
  };
  if (!canVerify()) {
    say("absent", `This browser has no WebCrypto here: it needs https, or localhost. ${verifier(match)}`);
    return;
  }
  say("busy", "Checking …");
  try {
    const answer = await fetch(badge.dataset.events);
    if (!answer.ok) throw new Error(`The events cannot be had: the server answers ${answer.status}.`);
    const { events } = await answer.json();
    const found = await verify(events, match);
    const seals = found.seals ? `, ${found.seals} opened seals` : "";
    say("holds", `✓ ${found.events} events${seals} checked in this browser. Head ${found.head}`);
  } catch (fault) {
    say("broken", `✗ ${fault.message}`);
  }
}
