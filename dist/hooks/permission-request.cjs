var $fs=require("node:fs");

// lib/run/start-hook.ts
var f =$fs;

// lib/run/code-cache.ts
var o =$fs, y = 32, g = 1 << 20, u;
var d = (function(t, r) {
let s = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`), c = `${t}/../.cache/${r}/${s}`, n = {}, i = (e) => (n[e] ??= O(`${t}/${e}`, `${c}/${e.replace("/", "-")}`, a), n[e].exports), a = (e) => e.startsWith("../lazy/") ? i(e.slice(3)) : require(e);
return { load: i, keep: () => {
let e = Object.values(n);
if (e.every(h) && (e.length === 0 || process.pid % y !== 0)) return;
require("../lazy/keep-bytecode.cjs").keep(c, e);
} };
});
var h = ({ bytes: t, script: r }) => t !== void 0 && !r.cachedDataRejected;
var O = (function(t, r, s) {
let c = S(l(t)), n = k(r), i = require("node:vm"), a = new i.Script(c, { filename: t, cachedData: n }), p = { exports: {} };
return a.runInThisContext()(s, t.slice(0, t.lastIndexOf("/")), p, p.exports), { path: r, script: a, bytes: n?.length, exports: p.exports };
});
var S = (function(t) {
let { latin1Slice: r } = Buffer.prototype;
return r ? r.call(t) : Buffer.from(t).toString("latin1");
});
var l = (function(t) {
u ??= new Uint8Array(g);
let r = (0, o.openSync)(t, "r"), s = (0, o.readSync)(r, u);
return (0, o.closeSync)(r), u.subarray(0, s);
});
var k = (function(t) {
try {
return l(t);
} catch {
return;
}
});

// lib/run/start-hook.ts
try {
let t = d(__dirname.slice(0, -6), "106d41f3e411");
t.load("body/permission-request.cjs"), t.keep();
} catch (t) {
(0, f.writeFileSync)(2, `swarm: this hook could not be loaded: ${t.message}
`);
}
