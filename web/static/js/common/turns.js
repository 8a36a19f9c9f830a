// How many matches wait for the reader: in the bar of every page and in its title, while it is looked
// at and nobody has to load it anew. The list of one's matches follows.
import { fetchOurs } from "./caller.js";
import { become } from "./morph.js";
import { localise } from "./times.js";

const EVERY = 60000;
const HEADER = "Plybook-Turns";
const { callerAt: address } = document.documentElement.dataset;
const marked = /^\(\d+\) /;

function show(turns) {
  document.querySelector(".turns .count").textContent = turns ? `(${turns})` : "";
  document.title = (turns ? `(${turns}) ` : "") + document.title.replace(marked, "");
}

// Not under the fingers of somebody who writes there, or has opened something.
async function list() {
  const main = document.querySelector("main:has(.agenda-head)");
  if (!main || main.querySelector("details[open]") || main.contains(document.activeElement.closest("form"))) return;
  const answer = await fetchOurs(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  become(main, fresh.querySelector("main").innerHTML);
  localise(main);
}

async function look() {
  if (document.hidden) return;
  const answer = await fetchOurs(address, { cache: "no-store" }).catch(() => null);
  const turns = answer?.headers.get(HEADER);
  if (!turns) return;
  const before = document.querySelector(".turns .count").textContent;
  show(Number(turns));
  if (document.querySelector(".turns .count").textContent !== before) await list().catch(() => null);
}

export function watchTurns() {
  if (!document.querySelector(".turns")) return;
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}
