// Whose page it is. In another tab somebody may log out, or in as somebody else, and a session ends;
// every answer says whose it is. A page that is somebody else's by now says so, and comes anew before
// anything is put on it or sent from it under the wrong name.
import { become } from "./morph.js";
import { localise } from "./times.js";
import { _ } from "./words.js";

const HEADER = "Plybook-Caller";
export const EVERY = 150000;
const PATIENCE = 15000;
const LATER_ON = 5000;
const LATER = [502, 503, 504];
const TOO_MANY = 429;
const TURNS = "Plybook-Turns";
const OWN = "Plybook-Own";
const TALK = "Plybook-Talk";
const MARKED = /^\(\d+\) /;
const ANEW = "plybook-anew";
const { caller: ours, callerAt: address, turnsAt } = document.documentElement.dataset;
const never = new Promise(() => {});
const findCounter = () => document.querySelector(".turns .count");
const openChannel = (name) => globalThis.BroadcastChannel && new BroadcastChannel(name);
let turnsElsewhere;

const isOurs = (answer) => (answer.headers.get(HEADER) ?? "") === ours;

function comeAnew() {
  try {
    sessionStorage.setItem(ANEW, "1");
  } catch {
    // Then it is not said.
  }
  const here = document.querySelector('.looks [name="next"]')?.value ?? location.pathname + location.search;
  // The very same address with a # would only scroll.
  location.replace(here);
  return never;
}

// Ask whose the session of this browser is now. What cannot be answered changes nothing.
async function ask() {
  const match = document.querySelector("[data-mark]") ? `?of=${location.pathname.split("/").pop()}` : "";
  const answer = await fetch(address + match, { cache: "no-store" }).catch(() => null);
  if (answer?.status !== 204) return null;
  return isOurs(answer) ? answer : comeAnew();
}

async function check() {
  const answer = await ask();
  if (!answer) return;
  noteTalk(answer.headers.get(TALK));
  if (!findCounter()) return;
  tell(Number(answer.headers.get(TURNS)));
  list(answer.headers.get(OWN));
}

// Something may have been said beside the match; `mark` is another one if it was.
function noteTalk(mark) {
  const chat = document.querySelector("[data-mark]");
  if (chat && mark && mark !== chat.dataset.mark) document.dispatchEvent(new Event("talk"));
}

// What the stream of a match tells beside its events. While it stands, nothing is asked for.
let carried = null;
let own = null;
let left = false;
const stands = () => carried?.readyState === EventSource.OPEN;

export function heed(source) {
  if (source !== own) own?.close();
  carried = source;
  source.addEventListener("turns", ({ data }) => findCounter() && tell(Number(data)));
  source.addEventListener("own", ({ data }) => list(data));
  source.addEventListener("talk", ({ data }) => noteTalk(data));
}

// A visible page that follows no match has a stream for the count alone. Whoever is refused one,
// or has to leave it to a newer page, asks.
function listen() {
  if (document.hidden || left || !turnsAt || (carried && carried.readyState !== EventSource.CLOSED)) return;
  own = new EventSource(turnsAt);
  own.addEventListener("replaced", ({ target }) => {
    target.close();
    left = true;
  });
  heed(own);
}

// Behind all others who hear of the same: a match's page has its own stream by then.
const soonListen = () => setTimeout(listen);

function heedSight() {
  left = false;
  if (document.hidden) own?.close();
  else {
    check();
    soonListen();
  }
}

// fetch, of what is answered to whom the page is for. It does not return for somebody else.
export async function fetchOurs(url, options) {
  const answer = await fetch(url, options);
  if (isOurs(answer)) return answer;
  if (answer.ok) return comeAnew();
  // A fault may not say whose it is.
  await ask();
  return answer;
}

const pause = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
    addEventListener("online", done, { once: true });
  });

// Asks until there is an answer, as long as it is wanted: connections come back.
export async function persist(address, options, wanted, lost) {
  for (let wait = 500; wanted(); wait = Math.min(8000, wait * 2)) {
    try {
      const answer = await fetchOurs(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });
      // What was looked for too often is looked for later; what was sent too often says so itself.
      const later = answer.status === TOO_MANY && options.method !== "POST";
      if (!later && !LATER.includes(answer.status)) return { answer, body: await answer.text() };
    } catch {
      // Without an answer nobody knows whether it arrived; what counts once may be sent again.
    }
    lost();
    await pause(wait);
  }
  return null;
}

// What a page does that was loaded anew: say why.
function say() {
  let came = null;
  try {
    came = sessionStorage.getItem(ANEW);
    sessionStorage.removeItem(ANEW);
  } catch {
    return;
  }
  if (!came) return;
  const name = document.querySelector(".account .who bdi")?.textContent;
  const told = document.createElement("p");
  told.className = "warning";
  told.id = "anew";
  told.setAttribute("role", "alert");
  told.textContent = name
    ? _("You are logged in as {name} now, so this page was reloaded.", { name })
    : _("You are not logged in any more, so this page was reloaded.");
  document.querySelector("main")?.prepend(told);
}

export function watchCaller() {
  say();
  turnsElsewhere = openChannel("plybook-turns");
  const others = openChannel("plybook-caller");
  others?.postMessage(ours);
  others?.addEventListener("message", ({ data }) => data !== ours && check());
  turnsElsewhere?.addEventListener("message", ({ data }) => data.of === ours && findCounter() && show(data.turns));
  document.addEventListener("visibilitychange", heedSight);
  addEventListener("focus", () => stands() || check());
  soonListen();
  addEventListener("pageshow", ({ persisted }) => persisted && check());
  // In the background too, half as often: of a tab there the title is seen, if it says how many
  // matches wait.
  let beat = 0;
  const isDue = () => !stands() && (!document.hidden || (findCounter() && ++beat % 2 === 0));
  if (findCounter() || document.querySelector("[data-mark]")) setInterval(() => isDue() && check() && listen(), EVERY);
}

// The other pages of this browser are told as well: hidden ones have no stream.
function tell(turns) {
  turnsElsewhere?.postMessage({ of: ours, turns });
  show(turns);
}

// How many matches wait for the reader, in the bar and the title.
function show(turns) {
  const mark = turns ? `(${turns})` : "";
  if (findCounter().textContent !== mark) document.dispatchEvent(new Event("turns"));
  findCounter().textContent = mark;
  document.title = `${mark} ${document.title.replace(MARKED, "")}`.trim();
}

// A list of the reader's own matches comes anew when it is another one by its mark. Not under the
// fingers of somebody who writes there, or has opened something.
let due;
async function list(mark) {
  clearTimeout(due);
  const main = document.querySelector("main:has([data-own])");
  if (!main || !mark || main.querySelector("[data-own]").dataset.own === mark) return;
  due = setTimeout(list, LATER_ON, mark);
  if (main.querySelector("details[open]") || main.contains(document.activeElement.closest("form"))) return;
  const answer = await fetchOurs(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  become(main, fresh.querySelector("main").innerHTML);
  localise(main);
  clearTimeout(due);
}
