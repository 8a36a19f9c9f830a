// A file of its own, since the page's security policy allows no script inside it.
"use strict";

SwaggerUIBundle({
  url: "v1/openapi.json",
  dom_id: "#documentation",
  deepLinking: true,
  // The interface would otherwise ask a server on the internet to judge the document.
  validatorUrl: null,
});
