// Makes what stands on the page equal to what should stand there, and touches only what differs.
// So the focus, scrolled boxes and opened details stay as the reader has them, and a browser lays
// out anew what has changed, not a whole board.

// What has been read ahead, by its markup. To be shown uses it up.
const ready = new Map();
const MOST_READY = 8;

function parse(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

export function prepare(markup) {
  if (ready.has(markup)) return;
  if (ready.size >= MOST_READY) ready.delete(ready.keys().next().value);
  ready.set(markup, parse(markup));
}

export function become(element, markup) {
  const fresh = ready.get(markup) ?? parse(markup);
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
  const mates = pair(olds, news);
  const kept = new Set(mates.values());
  for (const node of olds) if (!kept.has(node)) node.remove();
  const still = inOrder(olds, news, mates);
  let behind = before[before.length - end] ?? null;
  for (const node of news.reverse()) {
    const mate = mates.get(node);
    if (!still.has(mate)) old.insertBefore(mate ?? node, behind);
    behind = mate && !mate.isEqualNode(node) ? change(mate, node) : (mate ?? node);
  }
}

// Whatever is moved is styled and laid out anew; these, the most that follow one another as they
// did before, need not be.
function inOrder(olds, news, mates) {
  const at = new Map(olds.map((node, index) => [node, index]));
  const ends = [];
  const before = new Map();
  for (const node of news) {
    const mate = mates.get(node);
    if (!mate) continue;
    let length = ends.length;
    while (length && at.get(ends[length - 1]) > at.get(mate)) length -= 1;
    before.set(mate, ends[length - 1]);
    ends[length] = mate;
  }
  const still = new Set();
  for (let one = ends.at(-1); one; one = before.get(one)) still.add(one);
  return still;
}

// Groups of a picture are the same if they stand in the same place, what has a name by that name.
// What has gone to another place, as the cards of a hand do when one of them is played, is known
// by what it says; the rest is taken in its order.
const kind = (node) => `${node.nodeName} ${node.getAttribute?.("class")?.split(" ")[0] ?? ""}`;
const place = (node) => node.dataset?.key ?? node.getAttribute?.("transform");
const ALIKE = [
  (node) => place(node) && `${kind(node)} ${place(node)}`,
  (node) => place(node) && `${kind(node)} ${node.textContent}`,
  (node) => !node.dataset?.key && kind(node),
];

function pair(olds, news) {
  const mates = new Map();
  let before = olds;
  let after = news;
  for (const alike of ALIKE) {
    if (!before.length || !after.length) break;
    const known = new Map();
    for (const node of before) {
      const name = alike(node);
      if (!name) continue;
      if (known.has(name)) known.get(name).push(node);
      else known.set(name, [node]);
    }
    for (const node of after) {
      const mate = known.get(alike(node))?.shift();
      if (mate) mates.set(node, mate);
    }
    const taken = new Set(mates.values());
    before = before.filter((node) => !taken.has(node));
    after = after.filter((node) => !mates.has(node));
  }
  return mates;
}

function change(there, node) {
  const alike = there.nodeType === Node.ELEMENT_NODE && there.nodeName === node.nodeName;
  // What somebody is writing is in the field, not in the markup.
  const written = there === document.activeElement || there.localName === "textarea";
  if (!alike || !(node.hasChildNodes() || written)) {
    there.replaceWith(node);
    return node;
  }
  for (const { name } of [...there.attributes]) {
    if (!node.hasAttribute(name) && name !== "open") there.removeAttribute(name);
  }
  for (const { name, value } of node.attributes) {
    if (there.getAttribute(name) !== value && name !== "open") there.setAttribute(name, value);
  }
  morph(there, node);
  return there;
}
