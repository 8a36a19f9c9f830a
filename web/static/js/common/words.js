// Texts in the language of the page: English stands in the scripts, and a page in another language
// brings the words of that one along.

const root = document.documentElement;
const words = JSON.parse(root.dataset.words ?? "{}");
const rules = new Intl.PluralRules(root.lang);

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export const _ = (text, values = {}) => fill(words[text] ?? text, values);

// The page knows each form by a number that takes it; other numbers of its kind take it, too.
export function ngettext(one, many, number, values = {}) {
  const forms = words[one] ?? { 1: one, 2: many };
  const kind = rules.select(number);
  const like = Object.keys(forms).find((sample) => rules.select(Number(sample)) === kind);
  return fill(forms[like] ?? many, { number, ...values });
}
