var $fs=require("node:fs");

// lib/run/start-hook.ts
var P=$fs;

// lib/run/code-cache.ts
var E=$fs, F = 8, G = ({ looks: e }, t) => Math.imul(t, 2654435761) >>> 24 < 256 >> Math.min(e, F), W = 1 << 20, O;
var C = (function(e, t) {
let o = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`), i = `${e}/../.cache/${t}/${o}`, s = {}, c = (n) => (s[n] ??= Y(`${e}/${n}`, `${i}/${n.replace("/", "-")}`, d), s[n].exports), d = (n) => n.startsWith("../lazy/") ? c(n.slice(3)) : require(n);
return { load: c, keep: () => {
let n = Object.values(s);
if (n.every((m) => j(m) && !G(m, process.pid))) return;
require("../lazy/keep-bytecode.cjs").keep(i, n);
} };
});
var j = ({ bytes: e, script: t }) => e !== void 0 && !t.cachedDataRejected;
var Y = (function(e, t, o) {
let i = J(h(e)), [s, c] = H(K(t)), d = require("node:vm"), a = new d.Script(i, { filename: e, cachedData: s }), n = { exports: {} };
return a.runInThisContext()(o, e.slice(0, e.lastIndexOf("/")), n, n.exports), { path: t, script: a, bytes: s?.length, looks: c, exports: n.exports };
});
var H = (e) => e ? [e.subarray(0, -1), e.at(-1) ?? 0] : [void 0, 0];
var J = (function(e) {
let { latin1Slice: t } = Buffer.prototype;
return t ? t.call(e) : Buffer.from(e).toString("latin1");
});
var h = (function(e) {
O ??= new Uint8Array(W);
let t = (0, E.openSync)(e, "r"), o = (0, E.readSync)(t, O);
return (0, E.closeSync)(t), O.subarray(0, o);
});
var K = (function(e) {
try {
return h(e);
} catch {
return;
}
});

// lib/run/quiet-call.ts
var r=$fs;

// lib/parse/moment.ts
var I = (e) => `${e.getUTCFullYear()}-${g(e.getUTCMonth() + 1)}-${g(e.getUTCDate())}T${g(e.getUTCHours())}:${g(e.getUTCMinutes())}:${g(e.getUTCSeconds())}.${`${e.getUTCMilliseconds()}`.padStart(3, "0")}Z`, g = (e) => e < 10 ? `0${e}` : e;

// lib/run/quiet-call.ts
var b = ["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "ToolSearch", "NotebookRead"], D = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"];
var N = (function(e, t) {
let o = '"tool_name":"', i = e.indexOf(o) + o.length, s = e.slice(i, e.indexOf('"', i));
return (b.includes(s) || D.includes(s)) && !t.CLAUDE_CODE_TEAM_NAME && !(0, r.existsSync)(`${t.CLAUDE_PROJECT_DIR}/.atm.toml`);
});
var L = (function(e, t, o) {
let i = "", s = !1;
try {
let c = JSON.parse(e), { session_id: d, cwd: a, tool_name: n, tool_use_id: _, permission_mode: m } = c, l = t.CLAUDE_CONFIG_DIR ?? `${t.HOME}/.claude`, A = `${l}/swarm/sessions/${d}.json`;
if (!((b.includes(n) || D.includes(n)) && // the glance may have met another key of that name
l.startsWith("/") && /^[\w-]{5,100}$/.test(d) && typeof a == "string" && a.startsWith("/") && (t.CLAUDE_PROJECT_DIR ?? a) === a && typeof _ == "string" && typeof (m ?? "") == "string" && typeof (c.transcript_path ?? "") == "string" && typeof c.tool_input == "object" && c.tool_input !== null && !Array.isArray(c.tool_input) && c.agent_id === void 0) || t.SWARM_DISABLE || t.CLAUDE_SESSION_MODE || (0, r.existsSync)(`${a}/.atm.toml`)) return !1;
let p = JSON.parse((0, r.readFileSync)(A, "utf8"));
if (!(p.status === "working" && p.team === void 0 && p.endedAt === void 0) || p.state !== "active" && p.state !== "tool_active" || (0, r.existsSync)(`${l}/swarm/efforts/windows/${d}`) || (0, r.existsSync)(`${l}/swarm/context/${d}/due`) || (0, r.existsSync)(`${l}/swarm/settings.toml`)) return !1;
let S = D.includes(n) ? o().objectionTo(c, t) : void 0;
if (!S?.isDenial) {
let T = I(/* @__PURE__ */ new Date()), k = { state: "tool_active", lastSeen: T, tool: { name: n, id: _, since: T, permission: m } };
i = `${A}.tmp.${process.pid.toString(16)}-0`;
let B = `${JSON.stringify({ ...p, ...k }, null, 2)}
`;
(0, r.writeFileSync)(i, B, { encoding: "utf8", flag: "wx", mode: 384 }), (0, r.renameSync)(i, A), i = "";
}
S && (S.say(), s = !0);
let R = r.constants.O_APPEND | r.constants.O_WRONLY | (r.constants.O_NOFOLLOW ?? 0), $ = (process.uptime() * 1e3).toFixed(1);
return (0, r.writeFileSync)(`${l}/swarm/fired/PreToolUse`, `${$}
`, { encoding: "utf8", flag: R }), !0;
} catch {
return i && (0, r.rmSync)(i, { force: !0 }), s;
}
});

// lib/run/stdio.ts
var f=$fs;

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
return (0, f.readFileSync)(0, "utf8");
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
let o = (0, f.readSync)(0, t);
if (o === 0) return Buffer.concat(e).toString("utf8");
e.push(Buffer.from(t.subarray(0, o)));
} catch (o) {
if (o.code !== "EAGAIN") throw o;
w(V);
}
});

// lib/run/surroundings.ts
var y = () => process.env;

// lib/run/start-hook.ts
var Q = (function(e) {
let t = M(), o = () => e.load("lazy/command-guard-check.cjs");
return N(t, y()) && L(t, y(), o);
});
var Z = (function() {
process.reallyExit?.(process.exitCode ?? 0);
});
try {
let e = C(__dirname.slice(0, -6), "a1a33db2653f");
Q(e) || e.load("body/pre-tool-use.cjs"), e.keep(), Z();
} catch (e) {
(0, P.writeFileSync)(2, `swarm: this hook could not be loaded: ${e.message}
`);
}
