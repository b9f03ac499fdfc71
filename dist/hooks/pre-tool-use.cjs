var $fs=require("node:fs");

// lib/run/start-hook.ts
var P=$fs;

// lib/run/code-cache.ts
var m=$fs, F = 8, G = ({ looks: e }, t) => Math.imul(t, 2654435761) >>> 24 < 256 >> Math.min(e, F), W = 1 << 20, D;
var C = (function(e, t) {
let o = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`), i = `${e}/../.cache/${t}/${o}`, s = {}, a = (n) => (s[n] ??= Y(`${e}/${n}`, `${i}/${n.replace("/", "-")}`, d), s[n].exports), d = (n) => n.startsWith("../lazy/") ? a(n.slice(3)) : require(n);
return { load: a, keep: () => {
let n = Object.values(s);
if (n.every((E) => j(E) && !G(E, process.pid))) return;
require("../lazy/keep-bytecode.cjs").keep(i, n);
} };
});
var j = ({ bytes: e, script: t }) => e !== void 0 && !t.cachedDataRejected;
var Y = (function(e, t, o) {
let i = J(h(e)), [s, a] = H(K(t)), d = require("node:vm"), c = new d.Script(i, { filename: e, cachedData: s }), n = { exports: {} };
return c.runInThisContext()(o, e.slice(0, e.lastIndexOf("/")), n, n.exports), { path: t, script: c, bytes: s?.length, looks: a, exports: n.exports };
});
var H = (e) => e ? [e.subarray(0, -1), e.at(-1) ?? 0] : [void 0, 0];
var J = (function(e) {
let { latin1Slice: t } = Buffer.prototype;
return t ? t.call(e) : Buffer.from(e).toString("latin1");
});
var h = (function(e) {
D ??= new Uint8Array(W);
let t = (0, m.openSync)(e, "r"), o = (0, m.readSync)(t, D);
return (0, m.closeSync)(t), D.subarray(0, o);
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
var b = ["Read", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "ToolSearch", "NotebookRead"], O = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit"];
var N = (function(e, t) {
let o = '"tool_name":"', i = e.indexOf(o) + o.length, s = e.slice(i, e.indexOf('"', i));
return (b.includes(s) || O.includes(s)) && !t.CLAUDE_CODE_TEAM_NAME && !(0, r.existsSync)(`${t.CLAUDE_PROJECT_DIR}/.atm.toml`);
});
var L = (function(e, t, o) {
let i = "", s = !1;
try {
let a = JSON.parse(e), { session_id: d, cwd: c, tool_name: n, tool_use_id: _, permission_mode: E } = a, l = t.CLAUDE_CONFIG_DIR ?? `${t.HOME}/.claude`, A = `${l}/swarm/sessions/${d}.json`;
if (!((b.includes(n) || O.includes(n)) && // the glance may have met another key of that name
l.startsWith("/") && /^[\w-]{5,100}$/.test(d) && typeof c == "string" && c.startsWith("/") && (t.CLAUDE_PROJECT_DIR ?? c) === c && typeof _ == "string" && typeof (E ?? "") == "string" && typeof (a.transcript_path ?? "") == "string" && typeof a.tool_input == "object" && a.tool_input !== null && !Array.isArray(a.tool_input) && a.agent_id === void 0) || t.SWARM_DISABLE || t.CLAUDE_SESSION_MODE) return !1;
let p = JSON.parse((0, r.readFileSync)(A, "utf8"));
if (!(p.status === "working" && p.team === void 0 && p.endedAt === void 0) || p.state !== "active" && p.state !== "tool_active" || (0, r.existsSync)(`${l}/swarm/efforts/windows/${d}`) || (0, r.existsSync)(`${l}/swarm/context/${d}/due`) || (0, r.existsSync)(`${l}/swarm/settings.toml`) || (0, r.existsSync)(`${c}/.atm.toml`)) return !1;
let S = O.includes(n) ? o().objectionTo(a, t) : void 0;
if (!S?.isDenial) {
let T = I(/* @__PURE__ */ new Date()), k = { state: "tool_active", lastSeen: T, tool: { name: n, id: _, since: T, permission: E } };
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
var U = /* @__PURE__ */ Symbol.for("swarm.shared");
var x = (function() {
let e = globalThis;
return e[U] ??= { problems: [], ids: 0, deadline: Number.POSITIVE_INFINITY }, e[U];
});

// lib/store/sleep.ts
var w = (e) => {
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, e);
};

// lib/run/stdio.ts
var pe = 64 * 1024 * 1024, X = 64 * 1024, V = 2;
var M = (function() {
let e = q();
return x().stdin = e, e;
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
try {
let e = C(__dirname.slice(0, -6), "fa591b66c3e9");
Q(e) || e.load("body/pre-tool-use.cjs"), e.keep();
} catch (e) {
(0, P.writeFileSync)(2, `swarm: this hook could not be loaded: ${e.message}
`);
}
