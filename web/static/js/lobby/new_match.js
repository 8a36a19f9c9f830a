// The form for a new match: the server says in a sentence, while one chooses, what will come of it.
import { fetchOurs } from "../common/caller.js";

const PAUSE = 250;
const form = document.querySelector(".new-match");
let waiting;
let asked = 0;

// A name that does not show is not sent.
function showName() {
  const named = form.querySelector(".who-field");
  named.hidden = form.elements.with.value !== "player";
  named.querySelector("input").disabled = named.hidden;
}

async function tell() {
  asked += 1;
  const mine = asked;
  const body = new FormData(form);
  body.set("do", "tell");
  const answer = await fetchOurs(form.action, { method: "POST", body }).catch(() => null);
  const words = answer?.ok ? await answer.text() : "";
  if (!words || mine !== asked) return;
  const faults = [...form.querySelectorAll("p.error")];
  const isSaid = faults.some((one) => one.textContent.includes(words));
  form.querySelector(".promise").textContent = isSaid ? "" : words;
}

if (form) {
  showName();
  form.addEventListener("input", () => {
    showName();
    clearTimeout(waiting);
    waiting = setTimeout(tell, PAUSE);
  });
}
