// What every page does in a browser: times in the reader's zone, clocks that count down, links to copy.
import { watchCaller } from "./caller.js";
import { watchCards } from "./cards.js";
import { watchNames } from "./names.js";
import { watchPasskeys } from "./passkeys.js";
import { countDown, localise, soon } from "./times.js";
import { _ } from "./words.js";

document.documentElement.classList.add("scripted");
soon(() => {
  localise(document);
  countDown();
  watchNames();
  watchPasskeys();
  // Within a page of others nobody is logged in.
  if (document.querySelector(".framed")) return;
  watchCaller();
  watchCards();
});
soon(() => document.documentElement.classList.add("settled"));

// Lists of choices stand open for who has no script. At a finger, and on a small or low page, the
// board is enough: there they are folded, and stay as the reader leaves them.
const FOLDED = ".listed";
let open = !matchMedia("(max-width: 60rem), (max-height: 60rem), (pointer: coarse)").matches;

export function fold() {
  for (const one of document.querySelectorAll(FOLDED)) one.open = open;
}

fold();
document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.(FOLDED)) ({ open } = target);
}, true);

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = _("Copied");
    } catch {
      button.textContent = _("Copy it from the field");
    }
  });
}
