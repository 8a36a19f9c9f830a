// A name leads to its player's page. Whoever points at it, or comes to it by keys, gets a small card
// beside it: it stays while the pointer or the focus is on either, and Escape takes it away.
import { localise } from "./times.js";

const NAME = "a.who-is";
const PAUSE = 300;
const known = new Map();
let timer;
let shown = null;

async function fetchCard(link) {
  const answer = await fetch(`${link.pathname}/card`);
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
}

function cardOf(link) {
  const { pathname } = link;
  if (!known.has(pathname)) known.set(pathname, fetchCard(link).catch(() => known.delete(pathname) && ""));
  return known.get(pathname);
}

function hide() {
  clearTimeout(timer);
  shown?.card?.remove();
  shown = null;
}

async function show(link) {
  if (shown?.link === link) return;
  hide();
  const here = (shown = { link });
  const markup = await cardOf(link);
  if (shown !== here || !markup || !link.isConnected) return;
  const card = (here.card = document.createElement("div"));
  card.className = "name-card";
  card.popover = "manual";
  card.setAttribute("role", "group");
  card.setAttribute("aria-label", link.textContent);
  card.innerHTML = markup;
  localise(card);
  link.after(card);
  card.showPopover?.();
  const { left, top, bottom } = link.getBoundingClientRect();
  const [width, height] = [card.offsetWidth, card.offsetHeight];
  card.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - width - 8))}px`;
  card.style.top = `${bottom + height > innerHeight && top > height ? top - height : bottom}px`;
}

function doLater(what, given) {
  clearTimeout(timer);
  timer = setTimeout(what, PAUSE, given);
}

const isOn = (place) => shown && (shown.link.contains(place) || shown.card?.contains(place));

// Where the pointer or the focus is by now: on the card and its name nothing changes.
function moveTo(place, isWanted) {
  const link = place?.closest?.(NAME);
  if (isOn(place)) clearTimeout(timer);
  else if (link && isWanted) doLater(show, link);
  else doLater(hide);
}

export function watchCards() {
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "mouse" && !isOn(document.activeElement)) moveTo(target, true);
  });
  document.addEventListener("focusin", ({ target }) => moveTo(target, target.matches(":focus-visible")));
  document.addEventListener("focusout", ({ relatedTarget }) => relatedTarget || doLater(hide));
  document.addEventListener("scroll", ({ target }) => shown?.card?.contains(target) || hide(), true);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown) return;
    hide();
    event.stopPropagation();
  }, true);
}
