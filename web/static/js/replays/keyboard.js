// Keys of the table that the page brings along. Whoever types, or has the focus on something that
// needs the key itself, is left alone.

const TYPING = "input:not([type=range]), textarea, select, [contenteditable]";
const PRESSED = "button, summary, a[href]";
const MOVES = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

function needsItself(target, key) {
  if (target.closest?.(TYPING)) return true;
  if (target.closest?.("dialog")) return key !== "?";
  if (key === "Escape" && target.closest?.(".desk-place")) return true;
  if ([" ", "Enter"].includes(key)) return target.closest?.(PRESSED) !== null;
  if (!MOVES.includes(key)) return false;
  if (target.closest?.("input[type=range]")) return true;
  return key.startsWith("Arrow") && target.scrollWidth > target.clientWidth && target.tabIndex >= 0;
}

export function listen(keys, act) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (!Object.hasOwn(keys, key) || needsItself(target, key)) return;
    // Escape has uses of its own: a dialog closes by it, a browser stops loading.
    if (key !== "Escape") event.preventDefault();
    act(keys[key]);
  });
}
