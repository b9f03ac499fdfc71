var $fs=require("node:fs");

// lib/run/start-hook.ts
var P=$fs;

// lib/run/code-cache.ts
var m=$fs, F = 8, G = ({ looks: e }, t) => Math.imul(t, 2654435761) >>> 24 < 256 >> Math.min(e, F), W = 1 << 20, O;
var C = (function(e, t) {
let r = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`), i = `${e}/../.cache/${t}/${r}`, s = {}, c = (o) => (s[o] ??= Y(`${e}/${o}`, `${i}/${o.replace("/", "-")}`, a), s[o].exports), d = {}, a = (o) => o.startsWith("../lazy/") ? c(o.slice(3)) : (d[o] ??= require(o), d[o]);
return { load: c, keep: () => {
let o = Object.values(s);
if (o.every((f) => j(f) && !G(f, process.pid))) return;
require("../lazy/keep-bytecode.cjs").keep(i, o);
} };
});
var j = ({ bytes: e, script: t }) => e !== void 0 && !t.cachedDataRejected;
var Y = (function(e, t, r) {
let i = J(I(e)), [s, c] = H(K(t)), d = require("node:vm"), a = new d.Script(i, { filename: e, cachedData: s }), u = { exports: {} };
return a.runInThisContext()(r, e.slice(0, e.lastIndexOf("/")), u, u.exports), { path: t, script: a, bytes: s?.length, looks: c, exports: u.exports };
});
var H = (e) => e ? [e.subarray(0, -1), e.at(-1) ?? 0] : [void 0, 0];
var J = (function(e) {
let { latin1Slice: t } = Buffer.prototype;
return t ? t.call(e) : Buffer.from(e).toString("latin1");
});
var I = (function(e) {
O ??= new Uint8Array(W);
let t = (0, m.openSync)(e, "r"), r = (0, m.readSync)(t, O);
return (0, m.closeSync)(t), O.subarray(0, r);
});
var K = (function(e) {
try {
return I(e);
} catch {
return;
}
});

// lib/run/quiet-call.ts
var n=$fs;

// lib/parse/moment.ts
var h = (e) => `${e.getUTCFullYear()}-${g(e.getUTCMonth() + 1)}-${g(e.getUTCDate())}T${g(e.getUTCHours())}:${g(e.getUTCMinutes())}:${g(e.getUTCSeconds())}.${`${e.getUTCMilliseconds()}`.padStart(3, "0")}Z`, g = (e) => e < 10 ? `0${e}` : e;

// lib/run/quiet-call.ts
var b = ["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "ToolSearch", "NotebookRead"], D = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"];
var N = (function(e, t) {
let r = '"tool_name":"', i = e.indexOf(r) + r.length, s = e.slice(i, e.indexOf('"', i));
return (b.includes(s) || D.includes(s)) && !t.CLAUDE_CODE_TEAM_NAME && !(0, n.existsSync)(`${t.CLAUDE_PROJECT_DIR}/.atm.toml`);
});
var L = (e, t, r) => {
let i = "", s = !1;
try {
let c = JSON.parse(e), { session_id: d, cwd: a, tool_name: u, tool_use_id: o, permission_mode: _ } = c, f = t.CLAUDE_CONFIG_DIR ?? `${t.HOME}/.claude`, A = `${f}/swarm/sessions/${d}.json`;
if (!((b.includes(u) || D.includes(u)) && // the glance may have met another key of that name
f.startsWith("/") && /^[\w-]{5,100}$/.test(d) && typeof a == "string" && a.startsWith("/") && (t.CLAUDE_PROJECT_DIR ?? a) === a && typeof o == "string" && typeof (_ ?? "") == "string" && typeof (c.transcript_path ?? "") == "string" && typeof c.tool_input == "object" && c.tool_input !== null && !Array.isArray(c.tool_input) && c.agent_id === void 0) || t.SWARM_DISABLE || t.CLAUDE_SESSION_MODE || (0, n.existsSync)(`${a}/.atm.toml`)) return !1;
let E = JSON.parse((0, n.readFileSync)(A, "utf8"));
if (!(E.status === "working" && E.team === void 0 && E.endedAt === void 0) || E.state !== "active" && E.state !== "tool_active" || (0, n.existsSync)(`${f}/swarm/efforts/windows/${d}`) || (0, n.existsSync)(`${f}/swarm/context/${d}/due`) || (0, n.existsSync)(`${f}/swarm/settings.toml`)) return !1;
let S = D.includes(u) ? r().objectionTo(c, t) : void 0;
if (!S?.isDenial) {
let T = h(/* @__PURE__ */ new Date()), k = { state: "tool_active", lastSeen: T, tool: { name: u, id: o, since: T, permission: _ } };
i = `${A}.tmp.${process.pid.toString(16)}-0`;
let B = `${JSON.stringify({ ...E, ...k }, null, 2)}
`;
(0, n.writeFileSync)(i, B, { encoding: "utf8", flag: "wx", mode: 384 }), (0, n.renameSync)(i, A), i = "";
}
S && (S.say(), s = !0);
let R = n.constants.O_APPEND | n.constants.O_WRONLY | (n.constants.O_NOFOLLOW ?? 0), $ = (process.uptime() * 1e3).toFixed(1);
return (0, n.writeFileSync)(`${f}/swarm/fired/PreToolUse`, `${$}
`, { encoding: "utf8", flag: R }), !0;
} catch {
return i && (0, n.rmSync)(i, { force: !0 }), s;
}
};

// lib/run/stdio.ts
var p=$fs;

// lib/store/process-wide.ts
var x = /* @__PURE__ */ Symbol.for("swarm.shared");
var U = (function() {
let e = globalThis;
return e[x] ??= { problems: [], ids: 0, deadline: Number.POSITIVE_INFINITY }, e[x];
});

// lib/store/sleep.ts
var w = (e) => {
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, e);
};

// lib/run/stdio.ts
var Ee = 64 * 1024 * 1024, X = 64 * 1024, V = 2;
var M = (function() {
let e = q();
return U().stdin = e, e;
});
var q = (function() {
try {
return (0, p.readFileSync)(0, "utf8");
} catch (e) {
let { code: t } = e;
if (t === "EOF" || t === "EBADF" || t === "ENXIO") return "";
if (t !== "EAGAIN") throw e;
return z();
}
});
var z = (function() {
let e = [];
for (let t = Buffer.alloc(X); ; )
try {
let r = (0, p.readSync)(0, t);
if (r === 0) return Buffer.concat(e).toString("utf8");
e.push(Buffer.from(t.subarray(0, r)));
} catch (r) {
if (r.code !== "EAGAIN") throw r;
w(V);
}
});

// lib/run/surroundings.ts
var y = () => process.env;

// lib/run/start-hook.ts
var Q = (function(e) {
let t = M(), r = () => e.load("lazy/command-guard-check.cjs");
return N(t, y()) && L(t, y(), r);
});
var Z = (function() {
process.reallyExit?.(process.exitCode ?? 0);
});
try {
let e = C(__dirname.slice(0, -6), "c1efdd32ffb7");
Q(e) || e.load("body/pre-tool-use.cjs"), e.keep(), Z();
} catch (e) {
(0, P.writeFileSync)(2, `swarm: this hook could not be loaded: ${e.message}
`);
}
