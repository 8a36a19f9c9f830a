// Times in the browser's own zone, with its name; without a script they stand there in UTC. Who has
// chosen a zone has them in that already.
import { _ } from "./words.js";

const LANGUAGE = document.documentElement.lang.replace(/^en$/, "en-GB");
const SHAPE = {
  day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
};
let shown;
// Broken in a narrow place, a time is behind its day.
const keepTogether = (text) => text.replaceAll(" ", "\u00a0").replace(/,\u00a0([^,]*)$/, ", $1");

export function localise(root) {
  if ("zone" in document.documentElement.dataset) return;
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    shown ??= new Intl.DateTimeFormat(LANGUAGE, SHAPE);
    if (!Number.isNaN(when.getTime())) time.textContent = keepTogether(shown.format(when));
  }
}

// When nothing else is to be done, or half a second later. To learn how times are written takes a
// slow phone a tenth of a second, in which the page could be used already.
export const soon = (work) => (globalThis.requestIdleCallback ? requestIdleCallback(work, { timeout: 500 }) : setTimeout(work));

// What is left of a clock: the two largest units, counted down while somebody looks.
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

function tellLeft(seconds) {
  const at = UNITS.findIndex(([size]) => seconds >= size);
  if (at < 0) return _("no time");
  const parts = UNITS.slice(at, at + 2).map(([size, name], step) => {
    const many = Math.floor((step ? seconds % UNITS[at][0] : seconds) / size);
    const unit = { style: "unit", unit: name, unitDisplay: "long" };
    return many ? new Intl.NumberFormat(LANGUAGE, unit).format(many) : "";
  });
  return parts.filter(Boolean).join(" ");
}

export function countDown() {
  const step = () => {
    for (const one of document.querySelectorAll("[data-until]")) {
      one.textContent = tellLeft(Math.max(0, Math.floor((Date.parse(one.dataset.until) - Date.now()) / 1000)));
    }
  };
  step();
  setInterval(step, 1000);
}
