// What every page does in a browser: times in the reader's zone, clocks that count down, links to copy.
import { watchCaller } from "./caller.js";
import { countDown, localise } from "./times.js";
import { _ } from "./words.js";

document.documentElement.classList.add("scripted");
localise(document);
if (document.querySelector("[data-until]")) countDown();
watchCaller();

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
