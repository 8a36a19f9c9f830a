// Shows what the service tells this browser, and opens its match on a click. It does nothing else.
self.addEventListener("push", (event) => {
  const { match, text } = event.data.json();
  const about = { body: text, data: match, tag: match ?? "test", renotify: true };
  event.waitUntil(self.registration.showNotification("Plybook", about));
});

self.addEventListener("notificationclick", (event) => {
  const { data: match } = event.notification;
  event.notification.close();
  const page = match ? `m/${match}` : "account/browsers";
  event.waitUntil(self.clients.openWindow(new URL(page, self.registration.scope)));
});
