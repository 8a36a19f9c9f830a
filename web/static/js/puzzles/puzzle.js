// A puzzle on its board. What tries a move is a link or a form of the page; here the page that it
// leads to is fetched, and its pieces are put in the place of those that differ.
import { Walk } from "../boards/grid.js";
import { fetchOurs } from "../common/caller.js";
import { become } from "../common/morph.js";
import { fold } from "../common/page.js";
import { _ } from "../common/words.js";
import { slide } from "../replays/stage.js";

const PIECES = [".match-head", ".shown", ".told", ".others", ".meters", ".desk-place"];
const stage = document.querySelector("[data-puzzle]");
const findDesk = () => document.getElementById("entry");
let walk;
let ticket;

async function load(address, options, push = true) {
  const mine = (ticket = {});
  const answer = await fetchOurs(address, options).catch(() => null);
  if (mine !== ticket) return;
  const type = answer?.headers.get("Content-Type") ?? "";
  const fresh = type.startsWith("text/html") && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== ticket) return;
  if (!fresh || !fresh.querySelector("[data-puzzle]")) location.assign(options ? location.href : address);
  else put(fresh, answer.url, push && answer.ok);
}

function put(fresh, address, push) {
  slide(() => {
    for (const piece of PIECES) become(document.querySelector(piece), fresh.querySelector(piece)?.innerHTML ?? "");
  });
  document.title = fresh.title;
  fold();
  walk.prepare();
  // A move that is whole is tried at once: here that costs nothing.
  const form = findDesk().querySelector("[data-once] form");
  if (form) {
    send(form);
    return;
  }
  if (push && address !== location.href) history.pushState(null, "", address);
  const said = findDesk().querySelector("[role=alert]") ?? findDesk().querySelector("h2");
  say(said.textContent);
  if (!walk.refocus()) findDesk().focus({ preventScroll: true });
}

function say(told) {
  document.getElementById("desk-said").textContent = told.replace(/\s+/g, " ").trim();
}

function send(form, button) {
  load(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, button)) });
}

function choose(space) {
  const link = stage.querySelector(`.shown a.way[data-space="${CSS.escape(space)}"]`);
  if (link) load(link.getAttribute("href"), undefined, false);
  else say(_("This cannot be chosen now."));
}

function follow(event) {
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest?.("a[href]");
  if (!link?.closest(".shown, #entry")) return;
  const address = new URL(link.getAttribute("href"), location.href);
  if (!address.pathname.startsWith(getPlace())) return;
  event.preventDefault();
  // A step of a move is no place to come back to.
  load(address, undefined, !link.closest(".shown, .next"));
}

const getPlace = () => location.pathname.replace(/\/solution$/, "");

if (stage) {
  walk = new Walk(stage, choose, () => findDesk().querySelector(".ways-back a")?.click());
  document.addEventListener("click", follow);
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || !event.target.closest("#entry")) return;
    event.preventDefault();
    send(event.target, event.submitter);
  });
  addEventListener("popstate", () => load(location.href, undefined, false));
}
