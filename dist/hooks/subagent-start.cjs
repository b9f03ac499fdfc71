var $fs=require("node:fs");

// lib/run/start-hook.ts
var m=$fs;

// lib/run/code-cache.ts
var o=$fs, g = 8, h = ({ looks: t }, e) => Math.imul(e, 2654435761) >>> 24 < 256 >> Math.min(t, g), O = 1 << 20, u;
var l = (function(t, e) {
let s = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`), c = `${t}/../.cache/${e}/${s}`, n = {}, i = (r) => (n[r] ??= x(`${t}/${r}`, `${c}/${r.replace("/", "-")}`, a), n[r].exports), a = (r) => r.startsWith("../lazy/") ? i(r.slice(3)) : require(r);
return { load: i, keep: () => {
let r = Object.values(n);
if (r.every((d) => k(d) && !h(d, process.pid))) return;
require("../lazy/keep-bytecode.cjs").keep(c, r);
} };
});
var k = ({ bytes: t, script: e }) => t !== void 0 && !e.cachedDataRejected;
var x = (function(t, e, s) {
let c = b(f(t)), [n, i] = S($(e)), a = require("node:vm"), p = new a.Script(c, { filename: t, cachedData: n }), r = { exports: {} };
return p.runInThisContext()(s, t.slice(0, t.lastIndexOf("/")), r, r.exports), { path: e, script: p, bytes: n?.length, looks: i, exports: r.exports };
});
var S = (t) => t ? [t.subarray(0, -1), t.at(-1) ?? 0] : [void 0, 0];
var b = (function(t) {
let { latin1Slice: e } = Buffer.prototype;
return e ? e.call(t) : Buffer.from(t).toString("latin1");
});
var f = (function(t) {
u ??= new Uint8Array(O);
let e = (0, o.openSync)(t, "r"), s = (0, o.readSync)(e, u);
return (0, o.closeSync)(e), u.subarray(0, s);
});
var $ = (function(t) {
try {
return f(t);
} catch {
return;
}
});

// lib/run/start-hook.ts
try {
let t = l(__dirname.slice(0, -6), "fa591b66c3e9");
t.load("body/subagent-start.cjs"), t.keep();
} catch (t) {
(0, m.writeFileSync)(2, `swarm: this hook could not be loaded: ${t.message}
`);
}
