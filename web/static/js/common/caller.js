// Whose page it is. In another tab somebody may log out, or in as somebody else, and a session ends;
// every answer says whose it is. A page that is somebody else's by now says so, and comes anew before
// anything is put on it or sent from it under the wrong name.
import { _ } from "./words.js";

const HEADER = "Plybook-Caller";
const ANEW = "plybook-anew";
const { caller: ours, callerAt: address } = document.documentElement.dataset;
const never = new Promise(() => {});

const isOurs = (answer) => (answer.headers.get(HEADER) ?? "") === ours;

function comeAnew() {
  try {
    sessionStorage.setItem(ANEW, "1");
  } catch {
    // Without a place to keep it, it is not said.
  }
  const here = document.querySelector('.looks [name="next"]')?.value ?? location.pathname + location.search;
  // The very same address with a # would only scroll.
  location.replace(here);
  return never;
}

// Ask whose the session of this browser is now. What cannot be answered changes nothing.
async function check() {
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  if (answer?.status === 204 && !isOurs(answer)) await comeAnew();
}

// fetch, of what is answered to whom the page is for. It does not return for somebody else.
export async function fetchOurs(url, options) {
  const answer = await fetch(url, options);
  if (isOurs(answer)) return answer;
  if (answer.ok) return comeAnew();
  // A fault may not say whose it is.
  await check();
  return answer;
}

// What a page does that was loaded anew: say why.
function say() {
  let came = null;
  try {
    came = sessionStorage.getItem(ANEW);
    sessionStorage.removeItem(ANEW);
  } catch {
    return;
  }
  if (!came) return;
  const name = document.querySelector(".account .who bdi")?.textContent;
  const told = document.createElement("p");
  told.className = "warning";
  told.id = "anew";
  told.setAttribute("role", "alert");
  told.textContent = name
    ? _("You are logged in as {name} now, so this page has been loaded anew.", { name })
    : _("You are not logged in any more, so this page has been loaded anew.");
  document.querySelector("main")?.prepend(told);
}

export function watchCaller() {
  say();
  const others = globalThis.BroadcastChannel && new BroadcastChannel("plybook-caller");
  others?.postMessage(ours);
  others?.addEventListener("message", ({ data }) => data !== ours && check());
  document.addEventListener("visibilitychange", () => document.hidden || check());
  addEventListener("pageshow", ({ persisted }) => persisted && check());
}
