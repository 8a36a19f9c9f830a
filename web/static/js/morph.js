// Makes what stands on the page equal to what should stand there, and touches only what differs.
// So the focus, scrolled boxes and opened details stay as the reader has them, and a browser lays
// out anew what has changed, not a whole board.

// What has been read ahead, by its markup. To be shown uses it up.
const ready = new Map();
const MOST_READY = 8;

function parsed(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

export function prepare(markup) {
  if (ready.has(markup)) return;
  if (ready.size >= MOST_READY) ready.delete(ready.keys().next().value);
  ready.set(markup, parsed(markup));
}

export function become(element, markup) {
  const fresh = ready.get(markup) ?? parsed(markup);
  ready.delete(markup);
  morph(element, fresh);
}

function morph(old, fresh) {
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  let start = 0;
  let end = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && before[start].isEqualNode(after[start])) start += 1;
  while (end < most - start && before.at(-1 - end).isEqualNode(after.at(-1 - end))) end += 1;
  const olds = before.slice(start, before.length - end);
  const news = after.slice(start, after.length - end);
  const mates = paired(olds, news);
  let place = olds[0] ?? before[before.length - end] ?? null;
  for (const node of news) {
    const mate = mates.get(node);
    if (!mate) old.insertBefore(node, place);
    else {
      if (mate === place) place = place.nextSibling;
      else old.insertBefore(mate, place);
      if (!mate.isEqualNode(node)) change(mate, node);
    }
  }
  const kept = new Set(mates.values());
  for (const node of olds) if (!kept.has(node)) node.remove();
}

// Groups of a picture are the same if they stand in the same place, what has a name by that name;
// other nodes in their order.
const key = (node) => {
  const place = node.getAttribute?.("transform");
  return place ? `${node.getAttribute("class")?.split(" ")[0]} ${place}` : node.dataset?.key;
};

function paired(olds, news) {
  const places = new Map();
  const rest = [];
  for (const one of olds) {
    if (key(one)) places.set(key(one), one);
    else rest.push(one);
  }
  const mates = new Map();
  for (const node of news) {
    const place = key(node);
    if (place && places.has(place)) {
      mates.set(node, places.get(place));
      places.delete(place);
    } else if (!place && rest[0]?.nodeName === node.nodeName) mates.set(node, rest.shift());
  }
  return mates;
}

function change(there, node) {
  const alike = there.nodeType === Node.ELEMENT_NODE && there.nodeName === node.nodeName;
  if (!alike || !node.hasChildNodes()) {
    there.replaceWith(node);
    return;
  }
  for (const { name } of [...there.attributes]) {
    if (!node.hasAttribute(name) && name !== "open") there.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) {
    if (there.getAttribute(name) !== value && name !== "open") there.setAttribute(name, value);
  }
  morph(there, node);
}
