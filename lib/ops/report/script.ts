// What makes the page answer: a moment to point at in the picture, and a log to filter, page through and open. It runs in a
// browser, so it is text here; everything it shows it sets as text, never as markup.
import { LOG } from "./log.ts";

export const SCRIPT = `(() => {
"use strict";
${LOG}
const data = JSON.parse(find("data").textContent);
const tones = new Map(data.tones);
const clock = (at) => new Date(at + data.zone * 60000).toISOString();
const severalDays = clock(data.from).slice(0, 10) !== clock(data.to).slice(0, 10);
const timeText = (at) => (severalDays ? clock(at).slice(5, 10) + " " : "") + clock(at).slice(11, 19);

const PAGE = 200;
let shown = data.entries;
let page = 0;

function draw() {
  const first = page * PAGE;
  const part = shown.slice(first, first + PAGE);
  find("log").replaceChildren(...part.map((entry) => fillEntry(makeEntry(entry), entry)));
  if (part.length > 0) find("log").querySelector(".row").tabIndex = 0; // the way into the log by keys
  find("count").textContent = shown.length === 0
    ? "Nothing fits."
    : (first + 1) + "–" + (first + part.length) + " of " + shown.length;
  find("earlier").disabled = page === 0;
  find("later").disabled = first + PAGE >= shown.length;
}

function choose() {
  shown = data.entries.filter(fits);
  page = 0;
  draw();
}

function turn(by) {
  page += by;
  draw();
  find("log-title").scrollIntoView({ block: "start" });
}

onChoice(choose);
find("agent").addEventListener("change", (event) => {
  chosen.agent = event.target.value;
  choose();
});
find("earlier").addEventListener("click", () => turn(-1));
find("later").addEventListener("click", () => turn(1));

const isShortcut = (event) => event.ctrlKey || event.metaKey || event.altKey; // the browser's own
find("log").addEventListener("keydown", (event) => {
  const step = !isShortcut(event) && { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (!step) return;
  const rows = [...find("log").querySelectorAll(".row")];
  const next = rows[rows.indexOf(document.activeElement) + step];
  if (next) next.focus();
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !isTyping && !isShortcut(event)) {
    event.preventDefault();
    find("words").focus();
  }
  if (event.key === "Escape" && document.activeElement === find("words")) {
    find("words").value = "";
    chosen.words = "";
    choose();
  }
});

/** Not where no agent was active: then there is no picture. */
function usePicture(scrub) {
  const labels = document.querySelectorAll(".label .now");
  let moment = data.to;
  scrub.tabIndex = 0;
  const is = { role: "slider", "aria-label": "Moment", "aria-valuemin": 0, "aria-valuemax": 1000, "aria-valuenow": 1000 };
  for (const [name, value] of Object.entries(is)) scrub.setAttribute(name, value);

  function point(at) {
    moment = Math.min(data.to, Math.max(data.from, at));
    const share = (100 * (moment - data.from)) / Math.max(1, data.to - data.from);
    for (const end of ["x1", "x2"]) find("cursor").setAttribute(end, share + "%");
    find("cursor").setAttribute("visibility", "visible");
    const sum = new Map();
    data.lanes.forEach((lane, n) => {
      const [state] = lane.find(([, from, to]) => from <= moment && moment <= to) || ["away"];
      labels[n].textContent = state;
      sum.set(state, (sum.get(state) || 0) + 1);
    });
    const text = timeText(moment) + " · " + [...sum].map(([state, n]) => n + " " + state).join(", ");
    find("moment").textContent = text;
    scrub.setAttribute("aria-valuenow", String(Math.round(10 * share)));
    scrub.setAttribute("aria-valuetext", text);
  }

  /** The entry nearest in time, opened on its page of the log. */
  function jump() {
    if (shown.length === 0) return;
    let at = shown.findIndex((entry) => entry.at >= moment);
    if (at < 0) at = shown.length - 1;
    page = Math.floor(at / PAGE);
    draw();
    const target = find("log").children[at - page * PAGE].querySelector(".row");
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center" });
  }

  const momentOf = (event) => {
    const { left, width } = find("picture").getBoundingClientRect();
    return data.from + ((event.clientX - left) / width) * (data.to - data.from);
  };
  let drawing = 0;
  scrub.addEventListener("pointermove", (event) => {
    const at = momentOf(event);
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(() => point(at));
  });
  scrub.addEventListener("click", (event) => {
    point(momentOf(event));
    jump();
  });
  scrub.addEventListener("keydown", (event) => {
    const step = (data.to - data.from) / (event.shiftKey ? 20 : 200);
    const moves = { ArrowLeft: moment - step, ArrowRight: moment + step, Home: data.from, End: data.to };
    if (isShortcut(event)) return;
    if (event.key in moves) point(moves[event.key]);
    else if (event.key === "Enter") jump();
    else return;
    event.preventDefault();
  });
}

draw();
if (find("scrub")) usePicture(find("scrub"));
document.documentElement.dataset.ready = "true";
})();`;
