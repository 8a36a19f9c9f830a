// Fields for a player's name complete themselves by what the server knows.
const PAUSE = 150;
const list = document.querySelector("[data-names]");
let waiting;

async function complete(typed) {
  const answer = await fetch(`${list.dataset.names}?prefix=${encodeURIComponent(typed)}`).catch(() => null);
  if (!answer?.ok) return;
  list.replaceChildren(...(await answer.json()).map((name) => new Option(name)));
}

export function watchNames() {
  document.querySelector('[list="names"]')?.addEventListener("input", ({ target }) => {
    clearTimeout(waiting);
    waiting = setTimeout(complete, PAUSE, target.value);
  });
}
