// Times in the reader's own zone, with its name; without a script they stand there in UTC.

const shown = new Intl.DateTimeFormat("en-GB", {
  day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
  hourCycle: "h23", timeZoneName: "short",
});

export function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = shown.format(when);
  }
}
