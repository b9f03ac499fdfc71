// The small tools of the live page's script, as text for the browser: times, and a list that keeps its rows.
import { LOG } from "../../ops/report/log.ts";

const HELPERS = `${LOG}
const csrf = document.querySelector('meta[name="csrf"]').content;
const tones = new Map(JSON.parse(document.querySelector('meta[name="tones"]').content));
const two = (n) => String(n).padStart(2, "0");
const timeText = (at) => {
  const date = new Date(at);
  const time = two(date.getHours()) + ":" + two(date.getMinutes()) + ":" + two(date.getSeconds());
  const day = two(date.getMonth() + 1) + "-" + two(date.getDate());
  return date.toDateString() === new Date().toDateString() ? time : day + " " + time;
};
const age = (iso) => {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(iso)) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 120) return seconds + " s";
  if (seconds < 7200) return Math.floor(seconds / 60) + " min";
  return seconds < 172800 ? Math.floor(seconds / 3600) + " h" : Math.floor(seconds / 86400) + " d";
};
const money = (usd) => (usd === null ? "no price" : "$" + usd.toFixed(usd !== 0 && usd < 0.1 ? 4 : 2));

/** One row for each key: made once, filled again when its data has changed, moved when the order has. */
function keyed(list, build, fill) {
  const rows = new Map();
  return (items) => {
    const wanted = new Set(items.map((item) => item.key));
    for (const [key, row] of rows) if (!wanted.has(key)) { row.node.remove(); rows.delete(key); }
    let before = null;
    for (const item of items) {
      let row = rows.get(item.key);
      if (!row) { row = { node: build(item), data: "" }; rows.set(item.key, row); }
      const data = JSON.stringify(item);
      if (row.data !== data) { row.data = data; fill(row.node, item); }
      const place = before ? before.nextSibling : list.firstChild;
      if (row.node !== place) list.insertBefore(row.node, place);
      before = row.node;
    }
  };
}`;

// What makes the live page live. It runs in a browser, so it is text here; everything it shows it sets as text, never as markup,
// and it touches only what has changed.
export const SCRIPT = `(() => {
"use strict";
${HELPERS}
const facts = { agents: [], tasks: [], cost: { usd: 0 } };
function drawFacts() {
  const states = new Map();
  for (const { state } of facts.agents) states.set(state, (states.get(state) || 0) + 1);
  set(find("n-agents"), String(facts.agents.length));
  set(find("w-agents"), [...states].map(([state, n]) => n + " " + state).join(", ") || "agents");
  set(find("n-mail"), String(facts.agents.reduce((sum, one) => sum + one.unread, 0)));
  set(find("n-tasks"), facts.tasks.filter((task) => task.status === "completed").length + "/" + facts.tasks.length);
  set(find("n-cost"), money(facts.cost.usd));
  set(find("w-cost"), facts.cost.isCounting ? "still counting" : find("w-cost").dataset.since);
  const asking = facts.agents.filter((one) => one.state === "permission" || one.state === "question");
  document.title = (asking.length ? "(" + asking.length + ") " : "") + document.body.dataset.title;
}

const CELLS = ["agent", "state", "task", "context", "unread", "seen", "write"];
const drawAgents = keyed(find("agents"), (item) => {
  const row = make("tr");
  for (const name of CELLS) row.append(make("td", "a-" + name));
  row.children[0].append(make("b"), make("small"));
  row.children[1].append(make("span", "tone"));
  row.children[2].append(make("span"), make("small"));
  row.children[5].append(make("time"));
  const [write, hold] = [make("button", "", "Write"), make("button", "hold", "Pause")];
  write.type = hold.type = "button";
  row.children[6].append(write, hold);
  write.addEventListener("click", () => choose(row.dataset.agent));
  hold.addEventListener("click", () => pause({ agent: row.dataset.agent }, hold.dataset.action, hold));
  return row;
}, (row, item) => {
  row.dataset.agent = item.agent;
  row.dataset.state = item.state;
  const [agent, state, task, context, unread, seen, write] = row.children;
  set(agent.firstChild, item.agent);
  set(agent.lastChild, item.role ? " " + item.role : "");
  set(state.firstChild, item.state);
  state.firstChild.className = "tone s-tone-" + plain(item.state);
  set(task.firstChild, item.task);
  set(task.lastChild, item.evidence);
  set(context, item.context === null ? "" : item.context + " %");
  set(unread, item.unread ? item.unread + " unread" : "");
  seen.firstChild.dateTime = item.lastSeen;
  set(seen.firstChild, age(item.lastSeen));
  const [writing, hold] = write.children;
  writing.hidden = !valueFor(item.agent);
  writing.setAttribute("aria-label", "Write to " + item.agent);
  const action = item.paused === "own" ? "unpause" : "pause";
  hold.dataset.action = action;
  hold.hidden = item.state === "gone" || item.paused === "all";
  set(hold, action === "pause" ? "Pause" : "Go on");
  hold.setAttribute("aria-label", (action === "pause" ? "Pause " : "Let go on ") + item.agent);
});
async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": csrf },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  return { ok: response.ok, text: answer.text || answer.error };
}
async function pause(what, action, button) {
  button.disabled = true;
  try {
    set(find("held"), (await post(action, what)).text);
  } catch {
    set(find("held"), "Nothing was done: no connection.");
  }
  button.disabled = false;
}
for (const action of ["pause", "unpause"])
  find(action + "-all").addEventListener("click", (event) => pause({ all: true }, action, event.target));

const drawTasks = keyed(find("tasks"), () => {
  const row = make("tr");
  row.append(make("td"), make("td"), make("td"), make("td"));
  row.children[1].append(make("span"), make("small"));
  row.lastChild.append(make("span", "tone"));
  return row;
}, (row, task) => {
  const [id, subject, owner, status] = row.children;
  set(id, task.id);
  set(subject.firstChild, task.subject);
  set(subject.lastChild, [task.waits.length ? "waits for " + task.waits.join(", ") : "", task.proof].filter(Boolean).join(", "));
  set(owner, task.owner);
  set(status.firstChild, task.status.replace("_", " "));
  status.firstChild.className = "tone t-" + plain(task.status);
});

const drawTrees = keyed(find("trees"), () => {
  const row = make("tr");
  row.append(make("td"), make("td"), make("td"));
  row.lastChild.append(make("span"), make("small"));
  return row;
}, (row, tree) => {
  const [agents, branch, state] = row.children;
  set(agents, tree.agents || "nobody");
  set(branch, tree.branch);
  branch.title = tree.key;
  set(state.firstChild, tree.state);
  set(state.lastChild, tree.notes.join("; "));
});

const drawCost = keyed(find("costs"), () => {
  const row = make("tr");
  row.append(make("td"), make("td", "number"), make("td", "number"), make("td", "number"));
  return row;
}, (row, item) => {
  set(row.children[0], item.key);
  set(row.children[1], String(item.messages));
  set(row.children[2], item.output.toLocaleString("en"));
  set(row.children[3], money(item.usd));
});

let recipients = [];
const valueFor = (agent) => {
  const one = recipients.find(({ team, name }) => name === agent || name + "@" + team === agent);
  return one && JSON.stringify([one.team, one.name]);
};
function choose(agent) {
  find("to").value = valueFor(agent) || "";
  find("text").focus();
}

const PAGE = 100;
const entries = new Map();
let sorted = [];
let shown = PAGE;
const drawLog = keyed(find("log"), makeEntry, fillEntry);
function draw() {
  const found = sorted.filter(fits);
  drawLog(found.slice(0, shown));
  find("older").hidden = found.length <= shown;
  set(find("count"), found.length === 0 ? "Nothing yet." : Math.min(shown, found.length) + " of " + found.length);
}

const handlers = {
  agents: (agents) => { facts.agents = agents; drawAgents(agents); },
  tasks: (tasks) => {
    facts.tasks = tasks;
    const done = new Set(tasks.filter((task) => task.status === "completed").map((task) => task.id));
    drawTasks(tasks.map((task) => ({ ...task, key: task.id, waits: task.blockedBy.filter((id) => !done.has(id)) })));
    find("no-tasks").hidden = tasks.length > 0;
  },
  cost: (cost) => { facts.cost = cost; drawCost(cost.rows); find("no-costs").hidden = cost.rows.length > 0; },
  trees: (trees) => { find("where").hidden = trees.length === 0; drawTrees(trees); },
  quota: (lines) => { find("quota").replaceChildren(...lines.map((line) => make("li", "", line))); },
  recipients: (all) => {
    recipients = all;
    const value = find("to").value;
    const several = new Set(all.map(({ team }) => team)).size > 1;
    find("to").replaceChildren(make("option", "", "To whom?"), ...all.map(({ team, name }) => {
      const option = make("option", "", several ? name + "@" + team : name);
      option.value = JSON.stringify([team, name]);
      return option;
    }));
    find("to").firstChild.value = "";
    find("to").value = value;
    find("form").hidden = all.length === 0;
    for (const row of find("agents").children) row.lastChild.firstChild.hidden = !valueFor(row.dataset.agent);
  },
  entries: ({ whole, entries: changed, gone = [] }) => {
    if (whole) entries.clear();
    for (const key of gone) entries.delete(key);
    for (const entry of changed) entries.set(entry.key, entry);
    sorted = [...entries.values()].sort((a, b) => b.at - a.at);
    draw();
  },
};

const source = new EventSource("events");
for (const [name, handle] of Object.entries(handlers))
  source.addEventListener(name, (event) => {
    handle(JSON.parse(event.data));
    drawFacts();
    document.documentElement.dataset.ready = "true";
  });
const live = (text, state) => { set(find("live"), text); find("live").dataset.state = state; };
source.onopen = () => live("live", "on");
source.onerror = () => live(source.readyState === 2 ? "ended: start swarm serve again" : "no connection, trying again", "off");

onChoice(() => { shown = PAGE; draw(); });
find("older").addEventListener("click", () => { shown += PAGE; draw(); });

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const said = find("said");
  const [team, to] = JSON.parse(find("to").value || "[]");
  const text = find("text").value;
  if (!to || !text.trim()) { set(said, to ? "There is no text." : "To whom?"); return; }
  find("send").disabled = true;
  try {
    const answer = await post("send", { team, to, text });
    set(said, answer.text);
    if (answer.ok) find("text").value = "";
  } catch {
    set(said, "It was not sent: no connection.");
  }
  find("send").disabled = false;
});
find("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find("form").requestSubmit();
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = { "/": "words", w: "text" }[event.key];
  if (!target) return;
  event.preventDefault();
  find(target).focus();
});
setInterval(() => {
  for (const time of find("agents").querySelectorAll("time")) set(time, age(time.dateTime));
}, 5000);
})();`;
