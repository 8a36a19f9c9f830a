// Asks until there is an answer, as long as it is wanted: connections come back.
import { fetchOurs } from "./caller.js";

const PATIENCE = 15000;
const LATER = [502, 503, 504];
const TOO_MANY = 429;

const pause = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
    addEventListener("online", done, { once: true });
  });

export async function persist(address, options, wanted, lost) {
  for (let wait = 500; wanted(); wait = Math.min(8000, wait * 2)) {
    try {
      const answer = await fetchOurs(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });
      // What was looked for too often is looked for later; what was sent too often says so itself.
      const later = answer.status === TOO_MANY && options.method !== "POST";
      if (!later && !LATER.includes(answer.status)) return { answer, body: await answer.text() };
    } catch {
      // Without an answer nobody knows whether it arrived; what counts once may be sent again.
    }
    lost();
    await pause(wait);
  }
  return null;
}
