// Passkeys: what the server asks for goes to the browser, and what it says goes back as a form.
import { _ } from "./words.js";

async function ask(form) {
  const said = form.querySelector("[data-said]");
  try {
    const answer = await fetch(form.dataset.passkey, { method: "POST", body: new FormData(form) });
    const { options, ticket, error } = await answer.json();
    if (error) throw new Error(error);
    const adds = "user" in options;
    const key = adds
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
    form.elements.ticket.value = ticket;
    form.elements.answer.value = JSON.stringify(key);
    form.submit();
  } catch (error) {
    said.textContent = error.name === "Error" ? error.message : _("The browser has not used a passkey.");
  }
}

export function watchPasskeys() {
  for (const form of document.querySelectorAll("[data-passkey]")) {
    form.hidden = !window.PublicKeyCredential?.parseCreationOptionsFromJSON;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      ask(form);
    });
  }
}
