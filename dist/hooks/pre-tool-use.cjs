var $fs=require("node:fs");

// lib/run/start-hook.ts
var P =$fs;

// lib/run/code-cache.ts
var p =$fs, F = 32, G = 1 << 20, S;
var C = (function(e, t) {
let r = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`), i = `${e}/../.cache/${t}/${r}`, s = {}, c = (o) => (s[o] ??= j(`${e}/${o}`, `${i}/${o.replace("/", "-")}`, d), s[o].exports), d = (o) => o.startsWith("../lazy/") ? c(o.slice(3)) : require(o);
return { load: c, keep: () => {
let o = Object.values(s);
if (o.every(W) && (o.length === 0 || process.pid % F !== 0)) return;
require("../lazy/keep-bytecode.cjs").keep(i, o);
} };
});
var W = ({ bytes: e, script: t }) => e !== void 0 && !t.cachedDataRejected;
var j = (function(e, t, r) {
let i = Y(I(e)), s = J(t), c = require("node:vm"), d = new c.Script(i, { filename: e, cachedData: s }), a = { exports: {} };
return d.runInThisContext()(r, e.slice(0, e.lastIndexOf("/")), a, a.exports), { path: t, script: d, bytes: s?.length, exports: a.exports };
});
var Y = (function(e) {
let { latin1Slice: t } = Buffer.prototype;
return t ? t.call(e) : Buffer.from(e).toString("latin1");
});
var I = (function(e) {
S ??= new Uint8Array(G);
let t = (0, p.openSync)(e, "r"), r = (0, p.readSync)(t, S);
return (0, p.closeSync)(t), S.subarray(0, r);
});
var J = (function(e) {
try {
return I(e);
} catch {
return;
}
});

// lib/run/quiet-call.ts
var n =$fs;

// lib/parse/moment.ts
var h = (e) => `${e.getUTCFullYear()}-${m(e.getUTCMonth() + 1)}-${m(e.getUTCDate())}T${m(e.getUTCHours())}:${m(e.getUTCMinutes())}:${m(e.getUTCSeconds())}.${`${e.getUTCMilliseconds()}`.padStart(3, "0")}Z`, m = (e) => e < 10 ? `0${e}` : e;

// lib/run/quiet-call.ts
var b = ["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "ToolSearch", "NotebookRead"], D = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"];
var N = (function(e, t) {
let r = '"tool_name":"', i = e.indexOf(r) + r.length, s = e.slice(i, e.indexOf('"', i));
return (b.includes(s) || D.includes(s)) && !t.CLAUDE_CODE_TEAM_NAME && !(0, n.existsSync)(`${t.CLAUDE_PROJECT_DIR}/.atm.toml`);
});
var U = (function(e, t, r) {
let i = "", s = !1;
try {
let c = JSON.parse(e), { session_id: d, cwd: a, tool_name: o, tool_use_id: g, permission_mode: y } = c, f = t.CLAUDE_CONFIG_DIR ?? `${t.HOME}/.claude`, _ = `${f}/swarm/sessions/${d}.json`;
if (!((b.includes(o) || D.includes(o)) && // the glance may have met another key of that name
f.startsWith("/") && /^[\w-]{5,100}$/.test(d) && typeof a == "string" && a.startsWith("/") && (t.CLAUDE_PROJECT_DIR ?? a) === a && typeof g == "string" && typeof (y ?? "") == "string" && typeof (c.transcript_path ?? "") == "string" && typeof c.tool_input == "object" && c.tool_input !== null && !Array.isArray(c.tool_input) && c.agent_id === void 0) || t.SWARM_DISABLE || t.CLAUDE_SESSION_MODE) return !1;
let l = JSON.parse((0, n.readFileSync)(_, "utf8"));
if (!(l.status === "working" && l.team === void 0 && l.endedAt === void 0) || l.state !== "active" && l.state !== "tool_active" || (0, n.existsSync)(`${f}/swarm/efforts/windows/${d}`) || (0, n.existsSync)(`${f}/swarm/context/${d}/due`) || (0, n.existsSync)(`${f}/swarm/settings.toml`) || (0, n.existsSync)(`${a}/.atm.toml`)) return !1;
let A = D.includes(o) ? r().objectionTo(c, t) : void 0;
if (!A?.isDenial) {
let T = h(/* @__PURE__ */ new Date()), k = { state: "tool_active", lastSeen: T, tool: { name: o, id: g, since: T, permission: y } };
i = `${_}.tmp.${process.pid.toString(16)}-0`;
let B = `${JSON.stringify({ ...l, ...k }, null, 2)}
`;
(0, n.writeFileSync)(i, B, { encoding: "utf8", flag: "wx", mode: 384 }), (0, n.renameSync)(i, _), i = "";
}
A && (A.say(), s = !0);
let R = n.constants.O_APPEND | n.constants.O_WRONLY | (n.constants.O_NOFOLLOW ?? 0), $ = (process.uptime() * 1e3).toFixed(1);
return (0, n.writeFileSync)(`${f}/swarm/fired/PreToolUse`, `${$}
`, { encoding: "utf8", flag: R }), !0;
} catch {
return i && (0, n.rmSync)(i, { force: !0 }), s;
}
});

// lib/run/stdio.ts
var E =$fs;

// lib/store/process-wide.ts
var L = /* @__PURE__ */ Symbol.for("swarm.shared");
var x = (function() {
let e = globalThis;
return e[L] ??= { problems: [], ids: 0, deadline: Number.POSITIVE_INFINITY }, e[L];
});

// lib/store/sleep.ts
var w = (e) => {
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, e);
};

// lib/run/stdio.ts
var fe = 64 * 1024 * 1024, H = 64 * 1024, K = 2;
var M = (function() {
let e = X();
return x().stdin = e, e;
});
var X = (function() {
try {
return (0, E.readFileSync)(0, "utf8");
} catch (e) {
let { code: t } = e;
if (t === "EOF" || t === "EBADF" || t === "ENXIO") return "";
if (t !== "EAGAIN") throw e;
return V();
}
});
var V = (function() {
let e = [];
for (let t = Buffer.alloc(H); ; )
try {
let r = (0, E.readSync)(0, t);
if (r === 0) return Buffer.concat(e).toString("utf8");
e.push(Buffer.from(t.subarray(0, r)));
} catch (r) {
if (r.code !== "EAGAIN") throw r;
w(K);
}
});

// lib/run/surroundings.ts
var O = () => process.env;

// lib/run/start-hook.ts
var q = (function(e) {
let t = M(), r = () => e.load("lazy/command-guard-check.cjs");
return N(t, O()) && U(t, O(), r);
});
try {
let e = C(__dirname.slice(0, -6), "106d41f3e411");
q(e) || e.load("body/pre-tool-use.cjs"), e.keep();
} catch (e) {
(0, P.writeFileSync)(2, `swarm: this hook could not be loaded: ${e.message}
`);
}
