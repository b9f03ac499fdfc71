// The log of the report and of the live page, as text for their scripts: rows of entries, which of them fit what was chosen, and the
// chips and the search field that choose. A script that takes it defines `tones` and `timeText(at)`. Everything is set as text.

export const LOG = `
const find = (id) => document.getElementById(id);
const make = (tag, name, text) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
};
const set = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};
const plain = (text) => text.replace(/[^a-z_]/g, "");

function makeEntry(entry) {
  const item = make("li", "k-" + plain(entry.kind));
  const line = make(entry.text ? "summary" : "div", "row");
  line.append(make("time"), make("span", "who"), make("span", "head"), make("span", "tone"));
  if (!entry.text) {
    line.tabIndex = -1;
    item.append(line);
    return item;
  }
  const more = make("details");
  more.append(line, make("pre"));
  item.append(more);
  return item;
}

function fillEntry(item, entry) {
  const [time, who, head, tone] = item.querySelector(".row").children;
  set(time, timeText(entry.at));
  who.replaceChildren(make("b", "", entry.agent), ...(entry.to ? [make("i", "", " → "), make("b", "", entry.to)] : []));
  set(head, entry.head);
  tone.hidden = !entry.tone;
  set(tone, entry.tone ? tones.get(entry.tone) || entry.tone.replace("_", " ") : "");
  tone.className = "tone t-" + plain(entry.tone || "");
  const text = item.querySelector("pre");
  if (text) set(text, entry.text || "");
  return item;
}

const chosen = { kinds: new Set(), agent: "", words: "" };
const fits = (entry) =>
  (chosen.kinds.size === 0 || chosen.kinds.has(entry.kind)) &&
  (!chosen.agent || entry.agent === chosen.agent || entry.to === chosen.agent) &&
  (!chosen.words || (entry.head + " " + (entry.text || "") + " " + entry.agent + " " + (entry.to || "")).toLowerCase().includes(chosen.words));

function onChoice(draw) {
  for (const chip of document.querySelectorAll("[data-kind]"))
    chip.addEventListener("click", () => {
      const isOn = chosen.kinds.delete(chip.dataset.kind) ? false : Boolean(chosen.kinds.add(chip.dataset.kind));
      chip.setAttribute("aria-pressed", String(isOn));
      draw();
    });
  let typing;
  find("words").addEventListener("input", (event) => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      chosen.words = event.target.value.trim().toLowerCase();
      draw();
    }, 120);
  });
}`;
