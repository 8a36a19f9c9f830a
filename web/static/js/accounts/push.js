// Asks the browser for notices: for its permission, and for the address and the keys that the form sends.
const form = document.querySelector("[data-push]");

function tell(why) {
  for (const one of document.querySelectorAll("[data-why]")) one.hidden = one.dataset.why !== why;
}

function findHindrance() {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return "unable";
  return Notification.permission === "denied" ? "denied" : "";
}

async function register() {
  const { push: applicationServerKey, worker } = form.dataset;
  await Notification.requestPermission();
  await navigator.serviceWorker.register(worker);
  const { pushManager } = await navigator.serviceWorker.ready;
  const ask = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  // One that was made with another key has to end first.
  const made = await ask().catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return ask();
  });
  const { endpoint, keys } = made.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.submit();
}

if (form) {
  const why = findHindrance();
  tell(why);
  form.querySelector("button").disabled = why !== "";
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    register().catch(() => tell(findHindrance() || "failed"));
  });
}
