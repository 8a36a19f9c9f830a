// An analysis that is being made: how far it is shows by itself, and what was found once it is done.
const LOOK_EVERY = 3000;

let waiting;

export function awaitAnalysis() {
  clearTimeout(waiting);
  const place = document.querySelector(".analysis[data-waits]");
  if (place) waiting = setTimeout(look, LOOK_EVERY, place);
}

async function look(place) {
  // The next look may be answered again.
  const answer = await fetch(place.dataset.waits).catch(() => null);
  if (answer?.status === 204) return location.reload();
  if (answer?.ok) place.querySelector(".progress").innerHTML = await answer.text();
  awaitAnalysis();
}
