// An analysis that is being made: how far it is shows by itself, and what was found once it is done.
const LOOK_EVERY = 3000;

export function awaitAnalysis() {
  if (document.querySelector("#analysis[data-waits]")) setTimeout(look, LOOK_EVERY);
}

async function look() {
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = answer.ok && page.getElementById("analysis");
    if (found && !("waits" in found.dataset)) return location.reload();
    if (found) document.getElementById("analysis").replaceWith(found);
  } catch {
    // The next look may be answered again.
  }
  awaitAnalysis();
}
