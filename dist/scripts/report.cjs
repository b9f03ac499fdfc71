"use strict";var Gr=require("node:path");var _n=require("node:path"),$n=require("node:util");var Fe=/[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu,mt=/^[\t\n\u0020-\u007e]*$/;function F(e){return mt.test(e)?e:e.toWellFormed().replace(/\r\n?|[\u0085\u2028\u2029]/g,`
`).replace(Fe,"")}var de=e=>F(e).replace(/[\t\n]+/g," ").trim();var gt=(e,t)=>(JSON.stringify(e,null,t)??"null").replace(Fe,qr),qr=e=>[...Array(e.length).keys()].map(t=>`\\u${e.charCodeAt(t).toString(16).padStart(4,"0")}`).join(""),ht=e=>!mt.test(e)&&e.search(Fe)>=0;var L=require("node:path");var zr=/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])(\.|$)/i,Hr=/[/\\:*?"<>|\t\n]/,Ue=100,xt="fine";function w(e){if(e===xt)return;let t=Zr(e);return t===void 0&&(xt=e),t}var Xr=e=>e.length>4&&e.length<=Ue&&!e.startsWith("-")&&/^[\w-]+$/.test(e);function Zr(e){if(typeof e!="string"||e==="")return"is empty";if(!Xr(e)){if(Hr.test(e)||ht(e))return'contains a separator, a hidden or control character or one of : * ? " < > |';if(/^[.\-\s]/.test(e))return"starts with a dot, a dash or a space";if(/[.\s]$/.test(e))return"ends with a dot or a space";if(zr.test(e))return"is a reserved device name";if(Buffer.byteLength(e)>Ue)return`is longer than ${Ue} bytes`}}function S(e){let t=w(e);if(t)throw new Error(`the name ${JSON.stringify(String(e).slice(0,80))} ${t}`);return e}var Je={base:"",clean:""};function J({base:e},...t){Je.base!==e&&(Je={base:e,clean:(0,L.resolve)(e,"x").slice(0,-2)});let n=Je.clean;for(let r of t)n+=L.sep+r;return n}var Y=(e,...t)=>J(e,"swarm",...t);var bt=e=>Y(e,"settings.toml");var yt=e=>Y(e,"sessions"),wt=(e,t)=>Y(e,"sessions",`${S(t)}.json`);var St=(e,t,n)=>Y(e,"agents",S(t),`${S(n)}.json`);var kt=(e,t)=>Y(e,"context",S(t),"status-line.json"),Tt=(e,t,n)=>Y(e,"context",S(t),"voices",`${S(n)}.json`);var Et=(e,t)=>Y(e,"journal",`${t}.jsonl`);var ge=e=>(0,L.join)(e.base,"teams"),ce=(e,t)=>J(e,"teams",S(t),"config.json"),Pt=(e,t,n)=>J(e,"teams",S(t),"inboxes",`${S(n)}.json`),Mt=(e,t)=>J(e,"teams",S(t),"inboxes");var Ot=(e,t,n)=>J(e,"teams",S(t),"archive",`${S(n)}.jsonl`),vt=(e,t)=>J(e,"teams",S(t),"archive");var _t=(e,t,n)=>J(e,"teams",S(t),"spool",S(n)),$t=(e,t)=>J(e,"teams",S(t),"config-spool");var Be=(e,t)=>(0,L.join)(e.base,"tasks",t.replace(/[^A-Za-z0-9_-]/g,"-")||S(t));function At(e,t,n){if(!/^[1-9]\d{0,8}$/.test(n))throw new Error(`a task is named by its number, not by ${JSON.stringify(n)}`);return(0,L.join)(Be(e,t),`${n}.json`)}var Qr=(e,...t)=>(0,L.join)(e.atmHome,".claude","daemon",...t),It=e=>Qr(e,"hooks","events.jsonl");var q=(e,t)=>new Error(`${e||"it"} must be ${t}`),Nt=(e,t)=>ye(e,t,"string","text")??"";var l=(e,t)=>ye(e,t,"string","text"),he=(e,t)=>ye(e,t,"boolean","true or false"),N=(e,t)=>ye(e,t,"number","a number"),Lt=e=>e,g=(e,t)=>{if(typeof e!="string")throw q(t,"text");return e},Dt=(e,t)=>{if(typeof e!="string"&&typeof e!="number")throw q(t,"text or a number");return e},z=(e,t)=>{if(typeof e!="number")throw q(t,"a number");return e},xe=(e,t)=>{if(e==null)return{};if(typeof e!="object"||Array.isArray(e))throw q(t,"an object");return e};var k=e=>(t,n)=>{if(t==null)return[];if(!Array.isArray(t))throw q(n,"a list");return t.map((r,s)=>e(r,`${n}.${s}`))},O=e=>(t,n)=>t==null?void 0:e(t,n);var be=e=>{let t;return(n,r)=>(t??=e(),t(n,r))},y=e=>{let t;return(n,r)=>{if(typeof n!="object"||n===null||Array.isArray(n))throw q(r,"an object");let s=n,i={...s};t??=Object.entries(e);for(let[o,a]of t){let d=a(s[o],r?`${r}.${o}`:o);d!==void 0?i[o]=d:o in s&&delete i[o]}return i}};function ye(e,t,n,r){if(e!=null){if(typeof e!==n)throw q(t,r);return e}}var Wt=require("node:fs");var U=require("node:fs");var $=require("node:fs"),{O_RDONLY:es,O_WRONLY:le,O_RDWR:ts,O_CREAT:ue,O_EXCL:ns,O_APPEND:Rt,O_TRUNC:rs}=$.constants,{O_NONBLOCK:ss=0,O_NOFOLLOW:os=0}=$.constants,is={read:es,change:le,write:le|ue,rewrite:le|ue|rs,append:le|ue|Rt,extend:ts|ue|Rt,create:le|ue|ns};function Ke(e,t,{follow:n=!1}={}){let r=(0,$.openSync)(e,is[t]|ss|(n?0:os),384),s=(0,$.fstatSync)(r);if(s.isFile())return{fd:r,stat:s};throw(0,$.closeSync)(r),Object.assign(new Error(`${e} is not a regular file`),{code:as})}var as="ENOTFILE";function We(e,t,n,r={}){let{fd:s,stat:i}=Ke(e,t,r);try{return n(s,i)}finally{(0,$.closeSync)(s)}}var Ct=16*1024*1024,jt=e=>Ft(e,Ct,!1),E=(e,t=Ct)=>(0,U.existsSync)(e)?Ft(e,t,!0):void 0;function Ft(e,t,n){return Kt(()=>We(e,"read",(r,{size:s})=>{if(s>t)throw new Error(`${e} has ${s} bytes, more than ${t}`);return(0,U.readFileSync)(r,"utf8")},{follow:n}))}function ne(e,t){return Bt(e,n=>[Math.max(0,n-t),n])}function Jt(e,t){let n=ne(e,t)?.text??"";return n.length<t?(ne(`${e}.1`,t)?.text??"")+n:n}function Ut(e,t){return Bt(e,n=>[0,Math.min(t,n)])}function Bt(e,t){if(!(0,U.existsSync)(e))return;let n=(r,{size:s})=>{let[i,o]=t(s);return{text:ds(r,i,o-i).toString("utf8"),size:s}};return Kt(()=>We(e,"read",n,{follow:!0}))}function Kt(e){try{return e()}catch(t){if(A(t))return;throw t}}function ds(e,t,n){let r=Buffer.allocUnsafe(n),s=0;for(;s<n;){let i=(0,U.readSync)(e,r,s,n-s,t+s);if(i===0)break;s+=i}return r.subarray(0,s)}var A=e=>T(e,"ENOENT")||T(e,"ENOTDIR")||T(e,"ERR_INVALID_ARG_VALUE"),T=(e,t)=>e?.code===t;function H(e){try{return(0,Wt.readdirSync)(e)}catch(t){if(A(t))return[];throw t}}var Yt=require("node:fs");var Gt=Symbol.for("swarm.shared");function we(){let e=globalThis;return e[Gt]??={problems:[],ids:0,deadline:Number.POSITIVE_INFINITY},e[Gt]}var Vt=e=>{we().problems.push(e)};var X=e=>{Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)};var cs=3,ls=50;function _(e,t){let n=jt(e);if(n===void 0)return;let r=qt(n,t);if(r.ok)return r.value;us(e,r.why)}function B(e,t){for(let n=1;;n++){let r=E(e);if(r===void 0)return;let s=qt(r,t);if(s.ok)return s.value;if(n===cs)return;X(ls)}}function qt(e,t){try{let n=JSON.parse(e);return{ok:!0,value:typeof t=="function"?t(n,""):t.parse(n)}}catch(n){return{ok:!1,why:n.message.split(`
`)[0]??""}}}function us(e,t){let n=`${e}.corrupt-${new Date().toISOString().replace(/[:.]/g,"-")}`;try{(0,Yt.renameSync)(e,n)}catch(r){if(A(r))return;throw r}Vt(`${e} is damaged (${t}); moved to ${n}`)}var fs=10,ps=15,ms={win32:["EPERM","EACCES","EBUSY","ENOTEMPTY"]},gs=["EBUSY","ESTALE"],hs=(e,t=process.platform)=>(ms[t]??gs).some(n=>T(e,n));function zt(e,t=process.platform){for(let n=1;;n++)try{return e()}catch(r){if(n===fs||!hs(r,t))throw r;X(ps)}}var P=require("node:fs"),Ge=require("node:path");var xs=0;function Ht(e,t,n={}){let r=`${e}.tmp.${process.pid.toString(16)}-${(++xs).toString(16)}`;try{bs(r,t,n.durable===!0),zt(()=>{n.beforeRename?.(),(0,P.renameSync)(r,e)})}catch(s){throw(0,P.rmSync)(r,{force:!0}),s}n.durable&&ws((0,Ge.dirname)(e))}function bs(e,t,n){let r=()=>(0,P.writeFileSync)(e,t,{encoding:"utf8",flag:"wx",mode:384,flush:n});try{r()}catch(s){if(!T(s,"ENOENT"))throw s;ys((0,Ge.dirname)(e)),r()}}var ys=e=>{(0,P.mkdirSync)(e,{recursive:!0,mode:448})};function ws(e){if(process.platform==="win32")return;let t=(0,P.openSync)(e,"r");try{(0,P.fsyncSync)(t)}finally{(0,P.closeSync)(t)}}var Xt=y({session:g,agentId:l,wrapper:l,parent:l,previous:l,next:l,kind:l,team:l,agent:l,isLead:he,evidence:O(k(g)),role:l,mode:l,mission:l,model:l,client:l,pid:N,pidStartedAt:l,pane:l,tmux:l,cwd:l,project:l,transcript:l,source:l,state:g,status:g,tool:O(y({name:g,id:l,since:g,permission:l})),statusText:l,failure:l,lastWords:l,startedAt:g,turnStartedAt:l,lastSeen:g,endedAt:l,endReason:l});var Ss=(e,{session:t,agentId:n})=>n?St(e,t,n):wt(e,t);function D(e,t){let n=_(Ss(e,t),Xt);return n?.evidence?.includes(".atm.toml")?ks(n):n}var ks=e=>({...e,kind:"solo",team:void 0,agent:void 0,isLead:!1,evidence:[]});var Zt=e=>Ts(yt(e));function Ts(e,t=()=>!0){return H(e).filter(n=>n.endsWith(".json")&&t(n.slice(0,-5))).flatMap(n=>_(`${e}/${n}`,Xt)??[])}var Es=50,Se=(e,t)=>Ps(e,t,n=>n?.previous);function Ps(e,t,n){let r=[],s=t;for(;s&&!w(s)&&!r.includes(s)&&r.length<Es;)r.push(s),s=n(D(e,{session:s}));return r}var sn=require("node:fs"),Q=require("node:path");var Ms,Os=()=>Ms??=require("../lazy/store-settings-files.cjs"),Qt=(...e)=>Os().combine(...e);var fe=e=>e;function ke(e){let t={};for(let n of Object.keys(e))t[n]=e[n]?.default;return t}var Ve=fe({"guard.enabled":{kind:"flag",default:!0,about:"the command guard"},"guard.rules":{kind:"table",default:{},reach:"project-tightens",tightens:"weighed",about:'`<rule id> = "deny" | "ask" | "once" | "off"`'},"guard.protect":{kind:"list",default:[],reach:"project-tightens",tightens:"weighed",inside:"patterns",about:"more paths that no agent may write; a project's count inside it only"},"guard.unprotect":{kind:"list",default:[],about:"paths the built-in protection leaves alone"},"guard.allow_paths":{kind:"list",default:[],about:"directories outside the project where recursive deletes are fine"},"guard.allow_commands":{kind:"table",default:{},about:'`<name> = { match = "\u2026", reason = "\u2026" }`: commands the guard lets pass'}}),ed=ke(Ve);var vs={...fe({"core.default_team":{kind:"text",reach:"project",about:"the team of this project: announced, named in lifecycle events, required of spawns with `team_name`"},"core.identity":{kind:"text",reach:"project",about:"the agent named in lifecycle events when nothing else names one; gives no mailbox and no rights"},"core.welcome-message":{kind:"text",reach:"project",about:"shown at each session start after `Welcome: `"},"gate.orchestrators":{kind:"list",default:["scrum-master"],reach:"project-tightens",tightens:"adds",about:"agent types that must be spawned with a name; a project's are added"},"gate.max_teammates":{kind:"count",default:16,reach:"project-tightens",tightens:"lower",about:"teammates alive at once in one team"},"gate.max_spawns_per_hour":{kind:"count",reach:"project-tightens",tightens:"lower",about:"spawns by one session in an hour"},"gate.max_depth":{kind:"count",reach:"project-tightens",tightens:"lower",about:"how deep subagents may spawn subagents"},"gate.premium_models":{kind:"list",default:["opus"],reach:"project-tightens",tightens:"adds",about:"parts of model names counted by `max_premium`; a project's are added"},"gate.max_premium":{kind:"count",reach:"project-tightens",tightens:"lower",about:"agents alive at once on a premium model"},team:{kind:"table",default:{},about:'one table a team: `spawn_policy = "leaders-only" | "any-member"`, `co_leaders = [\u2026]`'}}),...Ve,...fe({"comms.tools":{kind:"list",default:[],about:"patterns of tools that send to the outside"},"comms.contacts":{kind:"text",about:"file with the contacts and their tags"},"context.core":{kind:"list",default:["Desktop/TODAY.md","Desktop/MEMORY.md","Desktop/SYSTEM-INDEX.md"],reach:"project",inside:"paths",about:"files every session gets at its start, where they exist; a project's must lie inside it"},"context.roles_dir":{kind:"text",reach:"project",inside:"paths",about:"where role files are; else `.claude/roles` of the project, then your own; a project's must lie inside it"},"context.window":{kind:"count",reach:"project-within-limits",min:1e4,max:1e7,about:"the context window in tokens, when no status line tells it"},"context.warn":{kind:"numbers",default:[60,80,90,95],reach:"project-within-limits",min:20,max:95,items:{min:1,max:10},about:"used share in percent at which a warning is said, once each"},"context.max_chars":{kind:"count",default:6e3,about:"room for the files' contents at session start"},"heartbeat.throttle_s":{kind:"count",default:60,about:"at most one sign of life a member in so many seconds"},"heartbeat.stale_s":{kind:"count",default:300,about:"silent for so long counts as stale"},"mail.deliver":{kind:"list",default:["start","prompt","tool","stop","push"],about:"the moments at which mail is delivered"},"mail.keep_read":{kind:"count",default:50,about:"read messages kept in an inbox before they move to the archive"},"mail.retention_days":{kind:"count",default:30,about:"read messages older than this move to the archive; unread ones only of removed members"},"mail.max_unread":{kind:"count",default:2e3,about:"unread messages an inbox holds before senders are refused"},"mail.max_bytes":{kind:"count",default:4*1024*1024,about:"bytes of unread mail an inbox holds before senders are refused, at most 8 MB"},"teammates.keep_alive":{kind:"flag",default:!1,about:"teammates go on when the lead's session ends, as with SWARM_KEEP_ALIVE=true"},"tasks.enforce":{kind:"flag",default:!0,reach:"project-tightens",tightens:"true",about:"the task rules, on our own commands and on the client's Task tools"},"tasks.verify":{kind:"text",about:"command that must succeed before a task counts as completed"},"tasks.verify_timeout_s":{kind:"count",default:120,about:"how long that command may take"},"tasks.hold_idle":{kind:"flag",default:!1,reach:"project-tightens",tightens:"true",about:"a teammate that goes idle with work in progress is held back, twice at most"},"effort.block_after":{kind:"count",default:10,reach:"project-tightens",tightens:"lower",min:5,about:"tool calls without a log entry before one is held back"},"effort.overflow_warn":{kind:"count",default:90,about:"used context share in percent at which the effort should be dehydrated"},"effort.precompact":{kind:"choice",default:"snapshot",choices:["snapshot","block","kill"],about:"what happens before a compaction"},"scratchpad.enabled":{kind:"choice",default:"auto",choices:["off","auto","on"],reach:"project-tightens",tightens:"later-choice",about:"`auto`: on where `.claude/scratchpad` exists"},"scratchpad.sections":{kind:"list",default:["What I did","Cross-agent observations","Unresolved"],reach:"project",items:{min:1,max:20},about:"the headings each page must have"},"scratchpad.exclude":{kind:"list",default:["coordinator","ego"],about:"folders that are no sign of delegation"},"scratchpad.exempt":{kind:"list",default:["Explore","Plan"],about:"agent types that owe no page"},"scratchpad.empty_is_missing":{kind:"flag",default:!1,reach:"project-tightens",tightens:"true",about:"a section without text counts as missing"},"scratchpad.max_blocks":{kind:"count",default:2,reach:"project-within-limits",min:0,max:5,about:"how often an agent is held back for its page, 5 at most"},"display.pane_color":{kind:"choice",default:"team",choices:["team","always","off"],about:"the status as background colour of the tmux pane"},"gc.keep_days":{kind:"count",default:30,about:"how long the journal and what ended sessions leave behind are kept"},features:{kind:"table",default:{},about:"`<feature> = false` switches it off"}})},en=ke(vs);var nn=require("node:fs"),re=require("node:path");var tn=require("node:fs"),Z=require("node:path");var _s=["ENOENT","ENOTDIR","ELOOP","EACCES","EPERM","ENAMETOOLONG"];function Ye(e){let t=[];for(let n=e;;n=(0,Z.dirname)(n)){let r=$s(n);if(r!==void 0)return(0,Z.resolve)(r,...t);if(n===(0,Z.dirname)(n))return e;t.unshift((0,Z.basename)(n))}}function $s(e){try{return tn.realpathSync.native(e)}catch(t){if(_s.some(n=>T(t,n)))return;throw t}}function rn(e,t){if(!(0,nn.existsSync)(e))return;let n=Ye(e);return t.some(r=>As(n,Ye(r)))?n:void 0}function As(e,t){let n=(0,re.relative)(t,e);return n!==".."&&!n.startsWith(`..${re.sep}`)&&!(0,re.isAbsolute)(n)}var Is=256*1024,Ns=64*1024;function on(e,t,n){let r=[],s=bt(e),i=an(s,Is,r),o=i?{path:s,text:i}:void 0,a=Ls(t,n,r),d={projectFile:a?.path,projectRoot:a?.root,personFile:s,problems:r};return!o&&!a?.text?{values:en,sources:{},projectAsks:{},refusals:[],...d}:{...Qt(o,a,r),...d}}function Ls(e,t,n){let r=t!==void 0&&t!==e&&Rs(e,t)?t:e;for(let s=e;;s=(0,Q.dirname)(s)){let i=(0,Q.resolve)(s,".atm.toml"),o=Ds(i,r,n);if(o!==void 0)return{path:i,text:o,root:r};if(s===r||s===(0,Q.dirname)(s))return}}function Ds(e,t,n){return(0,sn.lstatSync)(e,{throwIfNoEntry:!1})?.isSymbolicLink()&&!rn(e,[t])?(n.push(`${e}: the link leads out of the project`),""):an(e,Ns,n)}function Rs(e,t){let n=(0,Q.relative)(t,e);return n===""||!(n.startsWith("..")||n.startsWith("/")||/^[a-z]:/i.test(n))}function an(e,t,n){try{return E(e,t)}catch(r){return n.push(`${e}: ${r.message}`),""}}var Te=require("node:fs");var cn=require("node:fs");var dn;function qe(){return dn??=Cs(()=>{let e=(0,cn.readlinkSync)("/proc/self/ns/pid").replace(/\D/g,""),t=(E("/proc/sys/kernel/random/boot_id")??"").slice(0,8),n=(E("/proc/sys/kernel/hostname")??"").trim();return`${e}.${t}.${n}`}),dn}function ln(e){if(e===qe())return;let[,t,...n]=e.split("."),[,r,...s]=qe().split(".");return t!==r&&n.join(".")===s.join(".")?"gone":"unknown"}function Cs(e){try{return e()}catch{return""}}function un(e,t=process.platform){if(t==="linux")return js(Js(e));if(t==="darwin")return Fs(Us(e))}function js(e){let t=e?.slice(e.lastIndexOf(")")+2).split(" "),n=t?.[19];return n?{isZombie:t[0]==="Z",parent:Number(t[1]),startedAt:n}:void 0}function Fs(e){let t=e?.trim().match(/^(\S+)\s+(\d+)\s+(\S.*)$/);if(!t)return;let[,n="",r,s=""]=t;return{isZombie:n.startsWith("Z"),parent:Number(r),startedAt:s.replace(/\s+/g," ")}}function Js(e){try{return E(`/proc/${e}/stat`)}catch(t){if(A(t)||T(t,"ESRCH"))return;throw t}}function Us(e){let{spawnSync:t}=require("node:child_process"),n={encoding:"utf8",timeout:1e3,env:{LC_ALL:"C",TZ:"UTC"}},{status:r,stdout:s}=t("/bin/ps",["-o","state=,ppid=,lstart=","-p",String(e)],n);return r===0?s:void 0}var Td=be(()=>y({pid:z,startedAt:l,session:g,team:l,agent:l,pane:l,tmux:l}));function fn(e){if(process.platform!=="linux")return[];try{return(E(`/proc/${e}/cmdline`)??"").split("\0").slice(0,-1)}catch{return[]}}function pe({pid:e,startedAt:t}){if(!e)return"unknown";let[n,...r]=(t??"").split("@"),s=r.length>0?ln(r.join("@")):void 0;if(s)return s;let i=un(e);return(i?i.isZombie:!Bs(e))?"gone":!n||!i?"unknown":i.startedAt===n?"alive":"gone"}function Bs(e){try{return process.kill(e,0),!0}catch(t){return T(t,"EPERM")}}var K=e=>e.startsWith("session-")&&e.length===16&&/^[0-9a-f]+$/.test(e.slice(8)),Ks=be(()=>y({name:g,leadSessionId:l,leadProcess:O(y({pid:z,procStart:l})),members:k(y({name:g,agentId:l,agentType:l,model:l,tmuxPaneId:l,backendType:l,isActive:he}))}));function Ws(e){return Gs(e).flatMap(t=>B(ce(e,t),Ks)??[])}function Gs(e){let t=ge(e);return(0,Te.existsSync)(t)?(0,Te.readdirSync)(t).filter(K):[]}function mn(e,t){let n=fn(t.clientPid),r=pn(n,"--agent-name"),s=pn(n,"--team-name");if(r&&s&&K(s))return{team:s,agent:r,isLead:!1,kind:"pane",by:"process"};let i=Ws(e),o=i.find(a=>a.leadSessionId===t.session||a.leadProcess?.pid===t.clientPid);return o?{team:o.name,agent:"team-lead",isLead:!0,kind:"lead",by:"lead"}:t.pane&&n.length===0?Vs(i,t.pane):void 0}function Vs(e,t){for(let{name:n,members:r}of e){let s=r.find(i=>i.backendType==="tmux"&&i.tmuxPaneId===t);if(s)return{team:n,agent:s.name,isLead:!1,kind:"pane",by:"pane"}}}function pn(e,t){let n=e.indexOf(t);return n<0?void 0:e[n+1]}var $d=512*1024,ze=e=>e.toISOString().slice(0,10);var se=require("node:fs"),Ee=require("node:path");var Ys=/^(\d{12})-[A-Za-z0-9_-]+\.json$/,gn=e=>(0,se.existsSync)(e)?H(e).filter(t=>Ys.test(t)).sort():[];function Pe(e,t,n=Number.POSITIVE_INFINITY){let r=gn(e),s=[],i=0;for(let[o,a]of r.entries()){if(i+=(0,se.statSync)((0,Ee.join)(e,a),{throwIfNoEntry:!1})?.size??0,o>0&&i>n)return{changes:s,left:r.length-o};let d=_((0,Ee.join)(e,a),t);d!==void 0&&s.push({name:a,change:d})}return{changes:s,left:0}}var Hs=y({ended:g,at:g,pid:N,session:l});var hn=(e,t)=>Pe($t(e,t),Hs).changes;function xn(e,t){return e.map(n=>{let r=t.findLast(({change:s})=>s.ended===n.name&&Zs(s,n))?.change;return r?{...n,status:"offline",lastSeen:r.at}:n})}var Xs=1e3,Zs=(e,{pid:t,sessionId:n,lastSeen:r})=>t===e.pid&&n===e.session&&!(Date.parse(r??"")>=Date.parse(e.at)+Xs);var bn=(e,t)=>{let{members:n,...r}=xe(e,t);return{...yn(r),members:Array.isArray(n)?n.flatMap(Qs):[]}};function Qs(e){if(typeof e!="object"||e===null)return[];let{pid:t,...n}=e,r={...yn(n),...typeof t=="number"?{pid:t}:{}};return r.name?[r]:[]}var yn=e=>Object.fromEntries(Object.entries(e).filter(t=>typeof t[1]=="string"));function oe(e,t){let n=ce(e,t);if(K(t))return B(n,bn);let r=hn(e,t),s=_(n,bn);return s&&r.length>0?{...s,members:xn(s.members,r)}:s}var Me=(e,t)=>e?.members.find(n=>n.name===t);var Oe="team-lead";var He=e=>e.match(/^a(.+)-[0-9a-f]{16}$/)?.[1];var Ze=require("node:path"),eo=()=>process.env;function wn(e=eo()){return{places:no(e),now:new Date,projectDir:m(e.CLAUDE_PROJECT_DIR),clientPid:to(e),insideClient:e.CLAUDECODE==="1"||Xe(e.CLAUDE_PID)!==void 0,clientVersion:so(e.AI_AGENT),entrypoint:m(e.CLAUDE_CODE_ENTRYPOINT),sessionId:m(e.CLAUDE_CODE_SESSION_ID),wrapperId:m(e.CLAUDE_SESSION_ID),role:m(e.CLAUDE_SESSION_ROLE),mode:oo(e.CLAUDE_SESSION_MODE),missionId:m(e.MISSION_EXECUTION_ID),projectPath:m(e.PROJECT_PATH),compactWindow:Xe(e.CLAUDE_CODE_AUTO_COMPACT_WINDOW),attended:io(e),pane:m(e.TMUX_PANE),tmux:m(e.TMUX),envFile:m(e.CLAUDE_ENV_FILE),pluginRoot:m(e.CLAUDE_PLUGIN_ROOT),ownRoot:(0,Ze.resolve)(__dirname,"..",".."),env:e,teammateCommand:m(e.CLAUDE_CODE_TEAMMATE_COMMAND),clientProgram:m(e.CLAUDE_CODE_EXECPATH),multiplexer:m(e.SWARM_MULTIPLEXER)??m(e.CLAUDE_CODE_TEAMMATE_MODE),kitty:{socket:m(e.KITTY_LISTEN_ON),mode:m(e.SWARM_KITTY_MODE)},named:{team:m(e.CLAUDE_CODE_TEAM_NAME),agent:m(e.CLAUDE_CODE_AGENT_NAME),agentId:m(e.CLAUDE_CODE_AGENT_ID),agentType:m(e.CLAUDE_CODE_AGENT_TYPE),leadId:m(e.CLAUDE_CODE_TEAM_LEAD_ID)},clientFlags:{teams:m(e.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),taskTools:m(e.CLAUDE_CODE_ENABLE_TODO_TOOLS)},taskList:m(e.CLAUDE_CODE_TASK_LIST_ID),atm:{team:m(e.ATM_TEAM),identity:m(e.ATM_IDENTITY)},fleetId:m(e.AGENT_ID),keepAlive:e.SWARM_KEEP_ALIVE==="true",path:e.PATH??"",noColour:m(e.NO_COLOR)!==void 0,nodeVersion:process.versions.node,system:`${process.platform} ${process.arch}`,knowsModes:process.platform!=="win32",extraCertificates:m(e.NODE_EXTRA_CA_CERTS),disabled:new Set(e.SWARM_DISABLE?.split(/[\s,]+/).filter(Boolean)),entry:process.argv[2]}}var to=e=>Xe(e.CLAUDE_PID)??process.ppid;function no(e){let t=m(e.HOME)??m(e.USERPROFILE)??ro();return{home:t,base:m(e.CLAUDE_CONFIG_DIR)??(0,Ze.resolve)(t,".claude"),atmHome:m(e.ATM_HOME)??t,tmp:m(e.TMPDIR)??m(e.TEMP)??m(e.TMP)??"/tmp"}}function ro(){let{homedir:e}=require("node:os");return e()}function Sn(e){try{return process.cwd()}catch(t){if(t.code!=="ENOENT")throw t;return e}}var m=e=>e===void 0||e.trim()===""?void 0:e;function so(e=""){let[t,n=""]=e.split("_"),r=n.split("-").slice(0,3).map(Number);return t==="claude-code"&&r.length===3&&r.every(Number.isInteger)?r.join("."):void 0}function Xe(e){let t=Number(e);return Number.isSafeInteger(t)&&t>1?t:void 0}function oo(e){return e==="mission"||e==="background"?e:"interactive"}function io(e){let t=e.CLAUDE_CODE_SESSION_ATTENDED;return t==="1"?!0:t==="0"?!1:void 0}function kn(e,{wrapperId:t,clientPid:n,places:r}){if(!t||t===e||w(t))return!1;let s=D(r,{session:t});return s!==void 0&&s.pid!==n}var ve=e=>e?.members.find(t=>t.agentId!==void 0&&t.agentId===e.leadAgentId)?.name??Oe;function En(e,t,n){let r=e.named.team??e.atm.team??n;if(!t)return{...Tn,kind:e.insideClient?"solo":"person",team:r};let s=D(e.places,{session:t}),i=Qe(s),o=kn(t,e)?void 0:ao(e,t,s,i);return i??o??uo(e,t)??{...Tn,team:r}}var Tn={kind:"solo",team:void 0,agent:void 0,isLead:!1,evidence:[]};function Qe(e){if(!e?.team||!e.agent)return;let{team:t,agent:n,isLead:r=!1,kind:s=r?"lead":"named"}=e;return{kind:s,team:t,agent:n,isLead:r,evidence:["session record"]}}function ao(e,t,n,r){let{named:s,atm:i,places:o}=e,a=[{by:"environment",variable:"CLAUDE_CODE_AGENT_NAME",team:s.team??i.team??n?.team,agent:s.agent},{by:"environment ATM_*",variable:"ATM_IDENTITY",team:i.team??s.team??n?.team,agent:i.identity}];for(let{by:d,variable:u,team:c,agent:f}of a){if(!c||!f||K(c)||w(c)||r?.team===c&&r.agent===f)continue;let p=oe(o,c);if(!p||!co(p,f))continue;let b=Pn(p,f);if(!(b!==void 0&&Se(o,t).includes(b))&&(r||lo(o,p,f)))throw new Error(`${u} names ${f} of team ${c}, but this session is ${r?`${r.agent} of team ${r.team}`:`not the one ${f} runs in`}; nothing was done`);let M=ve(p)===f;if(!r)return{kind:M?"lead":"named",team:c,agent:f,isLead:M,evidence:[d]}}}var co=(e,t)=>Me(e,t)!==void 0||e.leadSessionId!==void 0&&ve(e)===t,Pn=(e,t)=>Me(e,t)?.sessionId??(ve(e)===t?e.leadSessionId:void 0);function lo(e,t,n){let r=Pn(t,n),s=Me(t,n);if(!r||w(r)||s?.status==="offline")return!1;let i=D(e,{session:r});if(i?.endedAt)return!1;let o=s?.pid?{pid:s.pid,startedAt:s.pidStartedAt}:void 0;return pe(o??{pid:i?.pid,startedAt:i?.pidStartedAt})!=="gone"}function uo({places:e,clientPid:t,pane:n},r){let s=mn(e,{session:r,clientPid:t,pane:n});if(!s)return;let{team:i,agent:o,isLead:a,kind:d}=s;return{kind:d,team:i,agent:o,isLead:a,evidence:["native team config"]}}var R=require("node:fs");var fo=64*1024*1024,po=64*1024,Mn=2,mo=1365;function On(){let e=we().stdin??go();if(e.length>fo)throw new Error(`the input has ${e.length} characters, too many`);return e}function go(){try{return(0,R.readFileSync)(0,"utf8")}catch(e){let{code:t}=e;if(t==="EOF"||t==="EBADF"||t==="ENXIO")return"";if(t!=="EAGAIN")throw e;return ho()}}function ho(){let e=[];for(let t=Buffer.alloc(po);;)try{let n=(0,R.readSync)(0,t);if(n===0)return Buffer.concat(e).toString("utf8");e.push(Buffer.from(t.subarray(0,n)))}catch(n){if(n.code!=="EAGAIN")throw n;X(Mn)}}function _e(e,t){if(t.length<=mo&&vn(()=>(0,R.writeFileSync)(e,t)))return;let n=Buffer.from(t,"utf8");for(let r=0;r<n.length;)r+=xo(e,n,r)}function xo(e,t,n){let r=t.length-n;return vn(()=>{r=(0,R.writeSync)(e,t,n)})?r:0}function vn(e){try{return e(),!0}catch(t){let{code:n}=t;if(n==="EPIPE"||n==="EBADF")return!0;if(n!=="EAGAIN")throw t;return X(Mn),!1}}var et=(e,t)=>_e(e,F(t));var I=e=>Object.assign(new Error(e),{isCall:!0});function An(e){try{let{words:t,flags:n,help:r}=yo(e),s=r?{text:e.usage}:e.run(wo(t,n,e.sessionId));if(!s)return;n.json?_e(1,`${gt(s.data??{text:s.text},2)}
`):s.styled?_e(1,`${s.styled}
`):s.text&&et(1,`${s.text}
`),process.exitCode=s.exitCode??0}catch(t){bo(e.usage,t)}}function bo(e,t){let n=t instanceof Error?t.message:String(t),r=t?.isCall===!0;et(2,`swarm: ${n}
${r?`usage: ${e.split(`
`)[0]}
`:""}`),process.exitCode=r?2:1}function yo(e){let t={...e.flags,json:{type:"boolean"},help:{type:"boolean",short:"h"}};try{let{values:n,positionals:r}=(0,$n.parseArgs)({args:process.argv.slice(2),options:t,allowPositionals:!0}),{help:s,...i}=n;return{words:r,flags:i,help:s===!0}}catch(n){throw I(n.message.split(". ")[0]??"bad call")}}function wo(e,t,n){let r=wn(),s=t["session-id"],i=ko(r,s,n),o=Sn(r.places.home),a=on(r.places,o,r.projectDir),d=()=>En(r,r.sessionId,a.values["core.default_team"]);return{...r,cwd:o,words:e,flags:t,session:i,loaded:a,get identity(){return d()},get subject(){return i!==void 0&&r.sessionId===void 0&&Qe(D(r.places,{session:i}))||d()},stdin:On,readInput:u=>So((0,_n.resolve)(o,u))}}function So(e){let t=E(e);if(t===void 0)throw I(`there is no file ${e}`);return t}function ko({places:e,sessionId:t,wrapperId:n},r,s="caller"){let i=w(r??t??"none");if(i)throw I(`the session id ${i}`);if(r===void 0||s==="data")return r??t;if(t===void 0&&s==="subject")return r;if(t===void 0)throw I("--session-id does not make you that session: outside a session you speak as person, without it");if(r===t||r===n||Se(e,t).includes(r))return t;throw new Error(`this is session ${t}, not ${r}: leave --session-id out`)}var $e=require("node:path");var To=["input_tokens","cache_creation_input_tokens","cache_read_input_tokens"];function In(e,t=!1){let n=e.split(`
`);for(let r=n.length-1;r>=0;r--){let s=Po(n[r]??"");if(!s||s.isSidechain===!0&&!t)continue;if(s.subtype==="compact_boundary")return Nn(s.compactMetadata?.postTokens);let i=s.type==="assistant"?Eo(s.message?.usage):0;if(i>0)return i}}var Eo=e=>To.reduce((t,n)=>t+(Nn(e?.[n])??0),0),Nn=e=>typeof e=="number"&&Number.isFinite(e)&&e>0?e:void 0;function Po(e){if(!(!e.startsWith("{")||!/"usage"|"compact_boundary"/.test(e)))try{return JSON.parse(e)}catch{return}}var Ln=[8*1024,64*1024,4*1024*1024],Pc=Ln[1];function Dn(e){let{agent_transcript_path:t,agent_id:n,session_id:r,transcript_path:s}=e;return t||(!n||!s||w(n)||w(r)?s:(0,$e.join)((0,$e.dirname)(s),r,"subagents",`agent-${n}.jsonl`))}function Rn(e){if(!e)return;let t=/[\\/]subagents[\\/]/.test(e);for(let n of Ln){let r=ne(e,n),s=In(r?.text??"",t);if(s!==void 0||!r||r.size<=n)return s}}var Mo="main",Oo=y({window:z,tokens:N,percent:N,model:l,at:g}),vo=(e,t)=>_(kt(e,t),Oo);var _o=y({said:z,compactsAt:N,remindedAt:l,summedUpTo:l}),$o=(e,t,n)=>_(Tt(e,t,n),_o)??{said:0};function Cn(e,t,n){let{session_id:r,agent_id:s=Mo}=t,i=r?Rn(Dn(t)):void 0;if(i===void 0)return;let o=Ao(e,{session:r,agent:s},n,i);return o?{tokens:i,window:o,share:100*i/o}:void 0}function Ao(e,t,{setting:n,compactWindow:r,isMeasured:s=!0},i){let o=[()=>s?vo(e,t.session)?.window:void 0,()=>n,()=>r,()=>s?$o(e,t.session,t.agent).compactsAt:void 0];for(let a of o){let d=a();if(d&&d>=i)return d}}var jn=require("node:fs");var Io=864e5,No=400,Fn=96*1024*1024;function Jn(e,t,n){let r=[],s=Fn;for(let i=n.getTime(),o=0;o<No&&s>0;i-=Io,o++){let a=ze(new Date(i));if(a<ze(t))break;let{lines:d,bytes:u}=Kn(Et(e,a),s);r.push(d.flatMap(Do)),s-=u}return r.reverse().flat().sort(Un)}var Un=(e,t)=>e.at<t.at?-1:e.at>t.at?1:0,Bn=(e,t)=>Kn(It(e),Fn).lines.flatMap(Ro).filter(({at:n})=>Date.parse(n)>=t.getTime()).sort(Un);function Kn(e,t){let n=[`${e}.1`,e].filter(s=>(0,jn.existsSync)(s)).map(s=>ne(s,t)?.text??""),r=n.reduce((s,i)=>s+i.length,0);return{lines:n.flatMap(s=>s.split(`
`).flatMap(Lo)),bytes:r}}function Lo(e){if(e==="")return[];try{return[JSON.parse(e)]}catch{return[]}}var W=(e,t)=>typeof e[t]=="string"?e[t]:"",tt=e=>typeof e=="object"&&e!==null&&!Array.isArray(e);function Do(e){if(!tt(e)||Number.isNaN(Date.parse(W(e,"at"))))return[];let n=Object.fromEntries(["id","at","event","session","agent","feature","what"].map(r=>[r,W(e,r)]));return[{...e,...n}]}function Ro(e){if(!tt(e))return[];let t=tt(e.source)?W(e.source,"kind"):"";return[{type:W(e,"type"),agent:W(e,"agent"),team:W(e,"team"),session:W(e,"session_id"),at:W(e,"received_at"),source:t}]}var nt=require("node:fs");var Gn=y({author:g,text:g,timestamp:g}),Co=y({state:l,comments:O(k(Gn)),lease:O(y({session:l,at:g})),createdBy:l,createdAt:l}),jo=y({subject:g,description:Nt,activeForm:l,owner:l,status:g,blocks:k(g),blockedBy:k(g),metadata:O(y({swarm:Wn(Co)})),comments:O(k(Wn(Gn)))});function Wn(e){return(t,n)=>{try{return O(e)(t,n)}catch{return}}}var Fo={blocked:"pending",in_review:"in_progress"},Vn=e=>(t,n)=>{let{owner:r="",comments:s,...i}=jo(t,n),o=de(r),a={...i,id:e,status:de(i.status),...o?{owner:o}:{}},d=Fo[a.status],u={...d?{state:a.status}:{},...s?{comments:s.filter(c=>c!==void 0)}:{}};return Object.keys(u).length>0?Uo({...a,status:d??a.status},u):a},Jo=e=>e.metadata?.swarm??{},Uo=(e,t)=>({...e,metadata:{...e.metadata,swarm:{...Jo(e),...t}}});var Bo=(e,t,n)=>B(At(e,t,n),Vn(n)),Yn=(e,t)=>Ko(Be(e,t)).flatMap(n=>Bo(e,t,n)??[]);function Ko(e){try{return(0,nt.readdirSync)(e).flatMap(n=>n.match(/^([1-9]\d{0,8})\.json$/)?.[1]??[]).sort((n,r)=>Number(n)-Number(r))}catch(t){if(A(t))return[];throw t}}var qn=require("node:fs");var zn=O(Dt),Wo=y({name:g,agentId:l,agentType:l,model:l,color:l,joinedAt:zn,cwd:l,sessionId:l,pid:N,pidStartedAt:l,paneId:l,backend:l,socket:l,log:l,permissionMode:l,status:l,lastSeen:l,prompt:l}),qc=y({name:l,description:l,createdAt:zn,leadAgentId:l,leadSessionId:l,status:l,suspendedAt:l,resumedAt:l,members:k(Wo)});function Hn(e){try{return(0,qn.readdirSync)(ge(e),{withFileTypes:!0}).flatMap(n=>n.isDirectory()&&!w(n.name)?n.name:[])}catch(t){if(A(t))return[];throw t}}var G=e=>typeof e=="string"?e:JSON.stringify(e)??"";function Ae(e){if(typeof e!="object"||e===null||Array.isArray(e))return;let t=e,n=t.text??t.content;if(typeof n=="string")return{...t,id:Xn(t.id,t.msg_id,t.message_id),from:Xn(t.from)||"unknown",text:n,timestamp:Go(t.timestamp),read:t.read===!0}}var Xn=(...e)=>e.find(t=>typeof t=="string"&&t!=="")??"";function Go(e){if(typeof e=="string")return e;let t=typeof e=="number"?new Date(e):void 0;return t&&!Number.isNaN(t.getTime())?t.toISOString():""}function Zn(e,t){return e.state==="answered"||e.state==="dead"?e.state:e.read?"shown":Vo(e,t)?"claimed":"queued"}function Vo({claim:e},t){let n=Date.parse(e?.at??"");return Math.abs(t.getTime()-n)<3e4}var Yo=160,rt=4e3,ie=new Map([["deny","denied"],["ask","asked"],["warn","warned"]]),qo=new Set(["mail-delivered","report","teammate-idle","member-ended"]),zo=new Set(["state","session-start","session-end","member-state","member-crashed"]),Ho=new Set(["id","at","event","session","agent","feature","what"].concat(["team","name","kind","list","who"]));function Qn(e,t){if(qo.has(e.what))return;let n={at:Date.parse(e.at),agent:t};return ie.get(e.what)?{...n,...Xo(e)}:e.task!==void 0?{...n,...Qo(e)}:e.what==="context-level"?{...n,kind:"context",head:`context at ${e.share} %`}:{...n,kind:zo.has(e.what)?"state":"note",...ei(e)}}function Xo(e){let t=x(e.rule,80)||e.feature,n=[e.tool,e.input].filter(Boolean).join(" "),r=[e.reason,n&&`Asked for: ${n}`,e.id&&`swarm explain ${e.id}`];return{kind:"decision",head:x(`${t}: ${Zo(G(e.reason??ie.get(e.what)))}`),text:Ie(r.filter(Boolean).join(`

`)),tone:e.what,rule:t}}var Zo=e=>e.split(/(?<=[.!?])\s|\n/)[0]??"";function Qo(e){let{what:t,owner:n,comment:r}=e,s=G(t).replace(/^task-/,"").replaceAll("-"," "),i=n?` (${n})`:"";return{kind:"task",head:x(`#${e.task} ${e.subject??""}: ${s}${i}`),text:r?Ie(G(r)):void 0,tone:x(e.status,20)||void 0}}function ei(e){let t=Object.entries(e).filter(([s,i])=>!Ho.has(s)&&s!==e.what&&i!==void 0&&i!=="").map(([s,i])=>`${s}: ${typeof i=="string"?i:JSON.stringify(i)}`),n=e.what==="state"?G(e.state??""):e.what.replaceAll("-"," "),r=x([n,...t].join(" \xB7 "));return{head:r,text:r.endsWith("\u2026")?Ie(t.join(`
`)):void 0}}function er(e,t,n){let r=Ie(e.text),s=x(e.summary??r.split(`
`).find(i=>i.trim()!=="")??"");return{at:Date.parse(e.timestamp),kind:"message",agent:x(e.from,80),to:t,head:s||"(empty)",text:r===s?void 0:r,tone:Zn(e,n)}}function x(e,t=Yo){let n=e==null?"":de(G(e));return n.length>t?`${n.slice(0,t-1).trimEnd()}\u2026`:n}var Ie=e=>{let t=F(e).trim();return t.length>rt?`${t.slice(0,rt)}
\u2026 (${t.length-rt} more characters)`:t};function tr(e,t){let n=new Map,r=(s,i,o)=>n.set(s,{...n.get(s),...ti({team:i,name:o})});for(let{session:s,team:i,agent:o}of e)r(s,i,o);for(let s of t)s.agent==="main"&&(s.name||s.team)&&s.feature==="sessions"&&r(s.session,s.team,s.name);return n}var ti=e=>Object.fromEntries(Object.entries(e).filter(([,t])=>typeof t=="string"&&t!=="")),ni=new Set(["member-crashed","member-state"]);function nr(e,t){let n=t.get(e.session),r=String(e.team??e.list??n?.team??"")||void 0;return ni.has(e.what)?{team:r,name:String(e.name??"")||void 0}:e.event==="command"||e.what==="member-ended"?{team:r,name:e.agent}:{team:r,name:He(e.agent)??n?.name}}function Ne({team:e,name:t},n,r){let s=x(t,60)||x(n.slice(0,8))||"you";return r||!t||!e?s:`${s}@${x(e,60)}`}var rr=({event:e,agent:t,what:n})=>e!=="command"&&t!=="main"&&n!=="member-ended"&&He(t)===void 0;function sr(e,t,n){let r=[];return e.forEach((s,i)=>{let o=Math.max(s.at,t),a=Math.min(e[i+1]?.at??n,n);if(a<=o)return;let d=r.at(-1);d?.state===s.state&&d.to===o?d.to=a:r.push({state:s.state,from:o,to:a})}),r.filter(({state:s})=>s!=="gone")}function Le(e,t,n,r){if(e.length<=r)return[...e];let s=(n-t)/r,i=[],o=0;for(let a=0;a<r;a++){let[d,u]=[t+a*s,t+(a+1)*s],c=new Map;for(;o<e.length&&(e[o]?.to??0)<=d;)o++;for(let b=o;b<e.length&&(e[b]?.from??n)<u;b++){let{state:v,from:M,to:j}=e[b];c.set(v,(c.get(v)??0)+Math.min(j,u)-Math.max(M,d))}let[f]=[...c].sort((b,v)=>v[1]-b[1])[0]??[],p=i.at(-1);p&&p.state===f&&p.to===d?p.to=u:f&&i.push({state:f,from:d,to:u})}return i}var ri=new Map(Object.entries({working:"working",idle:"idle",waiting:"waiting",ended:"gone"}));function or(e){return e.what==="state"?e.state==="failed"?ai(e):ri.get(String(e.state)):e.what==="member-state"?oi.get(String(e.state)):si.get(e.what)}var si=new Map(Object.entries({"session-start":"idle","teammate-idle":"idle","session-end":"gone","member-ended":"gone","member-crashed":"gone"})),oi=new Map(Object.entries({silent:"silent",gone:"gone","rate-limited":"limited"})),ii=/rate_limit|overloaded|usage_limit/,ai=({failure:e})=>ii.test(String(e??""))?"limited":"failed",di=new Map(Object.entries({"session-start":"idle",stop:"idle","teammate-idle":"idle","notification-idle-prompt":"idle","permission-request":"waiting","session-end":"gone"})),ir=({type:e})=>di.get(e);function ar(e,t){let n=e.flatMap(r=>{let s=Math.max(Date.parse(r.at),t);if(r.what==="compact-end")return[{at:s,share:0}];let i=Number(r.share);return r.what==="context-level"&&Number.isFinite(i)?[{at:s,share:i}]:[]});return n.filter(({at:r},s)=>r>t||(n[s+1]?.at??Number.POSITIVE_INFINITY)>t)}var ci=512*1024;function De(e,t,n){let r=new Map;for(let s of Jt(Ot(e,t,n),ci).split(`
`)){let i=li(s);i&&r.set(i.id,{...r.get(i.id),...i})}return[...r.values()].filter(s=>typeof s.text=="string")}function li(e){try{return JSON.parse(e)}catch{return}}var st=k(g),cr=(e,t)=>{let{messages:n,shown:r,answered:s,requeued:i,...o}=xe(e,t);return r?{shown:st(r,"shown"),at:g(o.at,"at")}:s?{answered:st(s,"answered"),by:g(o.by,"by")}:i?{requeued:st(i,"requeued")}:{messages:k(Ae)(n,"messages").flatMap(a=>a??[])}};function lr(e,t,n){if("shown"in t)return ui(e,new Set(t.shown),t.at);if("answered"in t)return fi(e,new Set(t.answered),t.by);if("requeued"in t)return mi(e,new Set(t.requeued),n());let r=new Set([...e.map(({message:i})=>i?.id),...n().map(({id:i})=>i)]),s=t.messages.filter(({id:i})=>i===""||!r.has(i));return[...e,...s.map(i=>Re({state:"queued",...i}))]}var Re=e=>({entry:e,message:e}),ui=(e,t,n)=>e.map(r=>{if(!r.message||r.message.read||!t.has(r.message.id))return r;let{claim:s,...i}=r.message;return Re({...i,read:!0,state:"shown",shownAt:n})}),fi=(e,t,n)=>e.map(r=>pi(r.message)&&t.has(r.message.id)?Re({...r.message,state:"answered",answeredBy:n}):r),pi=e=>e?.read===!0&&e.state!=="answered";function mi(e,t,n){let r=new Set(e.map(({message:o})=>o?.id)),s=n.filter(({id:o,state:a})=>t.has(o)&&!r.has(o)&&a==="shown"),i=e.map(o=>o.message?.state==="shown"&&t.has(o.message.id)?dr(o.message):o);return[...s.map(dr),...i]}var dr=({shownAt:e,...t})=>Re({...t,read:!1,state:"queued"});var ee=require("node:fs");var ot=12*1024*1024,ur=1024*1024,pl=512*1024,fr=64*1024*1024;var mr=e=>((0,ee.statSync)(e,{throwIfNoEntry:!1})?.size??0)>ot;var[pr,gi,hi]=[34,92,44],xi=new Set([91,123]),bi=new Set([93,125]);function gr(e,t,n=Number.POSITIVE_INFINITY){let{fd:r}=Ke(e,"read"),s=Buffer.allocUnsafe(ur),i=0,o=!1,a=!1,d=[],u=0,c=p=>{u+=p.length,u<=fr&&d.push(Buffer.from(p))},f=()=>{let p=u<=fr?Buffer.concat(d).toString("utf8").trim():"";p!==""&&yi(p,u,t),d=[],u=0};try{for(let p=0;p<n;){let b=(0,ee.readSync)(r,s,0,ur,null);if(b===0)return;p+=b;let v=0;for(let M=0;M<b;M++){let j=s[M];if(a)a=!1;else if(o)j===gi?a=!0:j===pr&&(o=!1);else if(j===pr)o=!0;else if(xi.has(j))++i===1&&(v=M+1);else if(bi.has(j)?--i===0:j===hi&&i===1){if(c(s.subarray(v,M)),f(),i===0)return;v=M+1}}i>0&&c(s.subarray(v,b))}}finally{(0,ee.closeSync)(r)}}function yi(e,t,n){let r;try{r=JSON.parse(e)}catch{return}n(r,t)}var Pl=8*1024*1024,wi=8*1024*1024,Si=({places:e,team:t,agent:n})=>Pt(e,t,n),ki=({places:e,team:t,agent:n})=>_t(e,t,n),it=({team:e})=>!K(e);function xr(e){let{changes:t}=it(e)?Pe(ki(e),cr,wi):{changes:[]};return Ti(e,Ei(e),t)}var br=e=>e.flatMap(({message:t})=>t??[]);function Ti(e,t,n){let r,s=()=>(r??=De(e.places,e.team,e.agent),r);return n.reduce((i,{change:o})=>lr(i,o,s),t)}var hr=k(Lt);function Ei(e){let t=Si(e);if(mr(t))return Pi(t);let n=()=>it(e)?_(t,hr):void 0;return(B(t,hr)??n()??[]).map(yr)}function Pi(e){let t=[];return gr(e,n=>t.push(yr(n)),ot),t}var yr=e=>({entry:e,message:Ae(e)});var wr=(e,t,n)=>br(xr({places:e,team:t,agent:n}));function kr({places:e,now:t},n,r,s){let i=o=>s?o:`${o}@${x(n,60)}`;return Mi(e,n).flatMap(o=>{let a=i(x(o,60)),d=[...De(e,n,o),...wr(e,n,o)];return Oi(d).map(u=>er(u,a,t)).map(u=>({...u,agent:i(u.agent)})).filter(u=>u.at>=r&&u.at<=t.getTime())})}function Mi(e,t){let n=H(Mt(e,t)).flatMap(s=>Sr(s,".json")),r=H(vt(e,t)).flatMap(s=>Sr(s,".jsonl"));return[...new Set([...n,...r])].filter(s=>!w(s)).sort()}var Sr=(e,t)=>e.endsWith(t)?[e.slice(0,-t.length)]:[];function Oi(e){return[...new Map(e.map((n,r)=>[n.id||`no id ${r}`,n])).values()]}var Tr=2e4;function Pr(e,t,n){let r=t===void 0?Hn(e.places):[t],s=vi(e,t,n),i=r.flatMap(u=>kr(e,u,s.from,t!==void 0)),a=[...s.lines.flatMap(u=>Date.parse(u.at)<s.from?[]:Qn(u,u.who)??[]),...i].sort((u,c)=>u.at-c.at),d={...s,...Ai(s,a)};return{title:t??"this machine",from:d.from,to:d.to,zone:-e.now.getTimezoneOffset(),lanes:Ii(e,d,a),entries:a.slice(-Tr),tasks:r.flatMap(u=>Ci(e,u,t!==void 0)),leftOut:Math.max(0,a.length-Tr)}}function vi({places:e,now:t},n,r){let s=Jn(e,r,t),i=Zt(e),o=tr(i,s),a=c=>n===void 0||c===n,d=n!==void 0,u=new Set(s.map(({session:c})=>c));return{team:n,from:r.getTime(),to:t.getTime(),lines:s.flatMap(c=>{let f=nr(c,o);return a(f.team)?{...c,who:Ne(f,c.session,d)}:[]}),records:i.flatMap(c=>{let f=o.get(c.session)??{};return a(f.team)?{...c,who:Ne(f,c.session,d)}:[]}),events:Bn(e,r).flatMap(c=>a(c.team)&&!(c.source==="claude_hook"&&u.has(c.session))?{...c,who:Ne({team:c.team,name:c.agent},c.session,d)}:[])}}var _i=.02,$i=6e4;function Ai({from:e,to:t,lines:n,records:r,events:s},i){let o=[...n,...s].map(({at:p})=>Date.parse(p)).concat(i.map(({at:p})=>p)),a=o.reduce((p,b)=>Math.min(p,b),t),d=o.reduce((p,b)=>Math.max(p,b),a),c=r.some(p=>!p.endedAt&&pe({pid:p.pid,startedAt:p.pidStartedAt})!=="gone")||o.length===0?t:d,f=Math.max($i,(c-a)*_i);return{from:Math.max(e,a-f),to:Math.min(t,c+f)}}function Ii(e,t,n){let r=Er(Ni(t),({agent:f})=>f),s=Er(t.lines,({who:f})=>f),i=t.team===void 0?void 0:oe(e.places,t.team),o=(i?.members??[]).map(({name:f})=>x(f,60)),a=[...r].filter(([,f])=>f.some(({at:p,state:b})=>p>=t.from||b!=="gone")),d=t.team===void 0?[]:n.filter(({kind:f})=>f==="message"),u=new Set([...o,...a.map(([f])=>f),...d.map(({agent:f})=>f)]),c=Di(t,i?.members??[]);return[...u].map(f=>{let p=(r.get(f)??[]).sort((v,M)=>v.at-M.at),b=ar(s.get(f)??[],t.from);return{agent:f,role:f===Oe?"lead":c.get(f)??"",spans:sr(p,t.from,t.to),levels:[...b,...Ri(e,t,f,b)]}}).sort((f,p)=>+(p.role==="lead")-+(f.role==="lead"))}function Er(e,t){let n=new Map;for(let r of e){let s=n.get(t(r));s?s.push(r):n.set(t(r),[r])}return n}function Ni({lines:e,records:t,events:n,to:r}){let s=e.flatMap(o=>{let a=rr(o)?void 0:or(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]}),i=n.flatMap(o=>{let a=ir(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]});return[...s,...i,...Li(e,t,r)]}function Li(e,t,n){let r=new Set(t.map(({session:o})=>o)),s=t.filter(o=>!o.endedAt&&!o.next).filter(o=>pe({pid:o.pid,startedAt:o.pidStartedAt})==="gone").map(o=>({at:Date.parse(o.lastSeen),agent:o.who,state:"gone"})),i=new Map;for(let o of e)o.event!=="command"&&o.session&&!r.has(o.session)&&i.set(o.session,{at:Math.min(n,Date.parse(o.at)+1),agent:o.who,state:"gone"});return[...s,...i.values()]}function Di({records:e},t){return new Map([...t.map(({name:n,agentType:r})=>[x(n,60),x(r,60)]),...e.flatMap(({who:n,role:r,isLead:s})=>s?[[n,"lead"]]:r?[[n,x(r,60)]]:[])])}function Ri(e,t,n,r){let s=t.records.findLast(({who:u,endedAt:c,next:f})=>u===n&&!c&&!f);if(!s?.transcript||Date.parse(s.lastSeen)<t.from)return[];let i={session_id:s.session,transcript_path:s.transcript},o={setting:e.loaded.values["context.window"],compactWindow:e.compactWindow},a=Cn(e.places,i,o)?.share,d=Math.max(Date.parse(s.lastSeen),r.at(-1)?.at??0);return a===void 0?[]:[{at:d,share:Math.floor(a)}]}function Ci({places:e},t,n){let r=s=>n?`#${s}`:`${x(t,40)} #${s}`;return Yn(e,t).map(({id:s,subject:i,status:o,owner:a,blockedBy:d})=>({id:r(s),subject:x(i),status:x(o,20),owner:x(a,60),blockedBy:d.map(u=>r(x(u,12)))}))}var ji={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},h=e=>F(G(e)).replace(/[&<>"']/g,t=>ji[t]??t),Or=e=>JSON.stringify(e,(t,n)=>typeof n=="string"?F(n):n).replaceAll("<","\\u003c"),Mr=e=>String(e).padStart(2,"0");function te(e,t){let n=new Date(e+t*6e4).toISOString();return{day:n.slice(0,10),time:n.slice(11,16)}}function vr(e){if(e===0)return"UTC";let t=Math.abs(e);return`UTC${e<0?"\u2212":"+"}${Mr(Math.floor(t/60))}:${Mr(t%60)}`}function Ce(e){let t=Math.round(e/1e3);if(t<60)return`${t} s`;let n=Math.round(t/60);if(n<60)return`${n} min`;let r=Math.floor(n/60),s=(i,o,a,d)=>a>0?`${i} ${o} ${a} ${d}`:`${i} ${o}`;return r<48?s(r,"h",n%60,"min"):s(Math.floor(r/24),"d",r%24,"h")}var C=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`;var Br=require("node:crypto");var at=`(() => {
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const make = (tag, name, text) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
};
const clock = (at) => new Date(at + data.zone * 60000).toISOString();
const severalDays = clock(data.from).slice(0, 10) !== clock(data.to).slice(0, 10);
const shortTime = (at) => (severalDays ? clock(at).slice(5, 10) + " " : "") + clock(at).slice(11, 19);

const tones = new Map(data.tones);
const PAGE = 200;
const chosen = { kinds: new Set(), agent: "", words: "" };
let shown = data.entries;
let page = 0;

const fits = (entry) =>
  (chosen.kinds.size === 0 || chosen.kinds.has(entry.kind)) &&
  (!chosen.agent || entry.agent === chosen.agent || entry.to === chosen.agent) &&
  (!chosen.words || (entry.head + " " + (entry.text || "") + " " + entry.agent + " " + (entry.to || "")).toLowerCase().includes(chosen.words));

function row(entry) {
  const item = make("li", "k-" + entry.kind);
  const line = make(entry.text ? "summary" : "div", "row");
  if (!entry.text) line.tabIndex = -1;
  line.append(make("time", "", shortTime(entry.at)));
  const who = make("span", "who");
  who.append(make("b", "", entry.agent));
  if (entry.to) who.append(make("i", "", " \u2192 "), make("b", "", entry.to));
  line.append(who, make("span", "head", entry.head));
  if (entry.tone) line.append(make("span", "tone t-" + entry.tone.replace(/[^a-z_]/g, ""), tones.get(entry.tone) || entry.tone.replace("_", " ")));
  if (!entry.text) {
    item.append(line);
    return item;
  }
  const more = make("details");
  more.append(line, make("pre", "", entry.text));
  item.append(more);
  return item;
}

function draw() {
  const first = page * PAGE;
  const part = shown.slice(first, first + PAGE);
  find("log").replaceChildren(...part.map(row));
  find("count").textContent = shown.length === 0
    ? "Nothing fits."
    : (first + 1) + "\u2013" + (first + part.length) + " of " + shown.length;
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

for (const chip of document.querySelectorAll("[data-kind]"))
  chip.addEventListener("click", () => {
    const isOn = chosen.kinds.delete(chip.dataset.kind) ? false : Boolean(chosen.kinds.add(chip.dataset.kind));
    chip.setAttribute("aria-pressed", String(isOn));
    choose();
  });
find("agent").addEventListener("change", (event) => {
  chosen.agent = event.target.value;
  choose();
});
let typing;
find("words").addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    chosen.words = event.target.value.trim().toLowerCase();
    choose();
  }, 120);
});
find("earlier").addEventListener("click", () => turn(-1));
find("later").addEventListener("click", () => turn(1));

find("log").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (!step) return;
  const rows = [...find("log").querySelectorAll(".row")];
  const next = rows[rows.indexOf(document.activeElement) + step];
  if (next) next.focus();
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    find("words").focus();
  }
  if (event.key === "Escape" && document.activeElement === find("words")) {
    find("words").value = "";
    chosen.words = "";
    choose();
  }
});

const scrub = find("scrub");
const labels = document.querySelectorAll(".label .now");
let moment = data.to;

function stateAt(lane, at) {
  const span = lane.find(([, from, to]) => from <= at && at <= to);
  return span ? span[0] : "";
}

function point(at) {
  moment = Math.min(data.to, Math.max(data.from, at));
  const share = (100 * (moment - data.from)) / Math.max(1, data.to - data.from);
  const cursor = find("cursor");
  cursor.setAttribute("x1", share + "%");
  cursor.setAttribute("x2", share + "%");
  cursor.setAttribute("visibility", "visible");
  const sum = new Map();
  data.lanes.forEach((lane, n) => {
    const state = stateAt(lane, moment) || "away";
    labels[n].textContent = state;
    labels[n].className = "now n-" + state;
    sum.set(state, (sum.get(state) || 0) + 1);
  });
  const text = shortTime(moment) + " \xB7 " + [...sum].map(([state, n]) => n + " " + state).join(", ");
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
  if (event.key in moves) point(moves[event.key]);
  else if (event.key === "Enter") jump();
  else return;
  event.preventDefault();
});

draw();
document.documentElement.dataset.ready = "true";
})();`;var je=12,Fi=500,me=(e,t,n)=>`<li><a href="#${e}"><b>${h(t)}</b><span>${h(n)}</span></a></li>`;function $r(e){let{lanes:t,entries:n,tasks:r}=e,s=c=>n.filter(f=>f.kind===c),i=s("message"),o=i.filter(({tone:c})=>c==="queued"||c==="claimed").length,a=s("decision").filter(({tone:c})=>c==="deny").length,d=r.filter(({status:c})=>c==="completed").length,u=t.flatMap(({agent:c,levels:f})=>f.map(({share:p})=>({agent:c,share:p}))).reduce((c,f)=>f.share>c.share?f:c,{agent:"",share:0});return`<ul class="facts">${[me("timeline",t.length,`${t.length===1?"agent":"agents"}, ${Ji(e)} of work`),me("mail",i.length,`${i.length===1?"message":"messages"}, ${o} unread`),me("tasks",`${d}/${r.length}`,"tasks completed"),me("decisions",s("decision").length,`decisions, ${a} denied`),me("timeline",u.share>0?`${u.share} %`:"\u2013",`fullest context ${u.agent}`.trim())].join("")}</ul>`}var Ji=({lanes:e})=>Ce(e.flatMap(({spans:t})=>t).reduce((t,{state:n,from:r,to:s})=>n==="working"?t+s-r:t,0)),_r={working:"working",idle:"idle",waiting:"waiting for somebody",limited:"rate limited",failed:"turn broke off",silent:"silent"};function Ar(e){let t=new Set(e.lanes.flatMap(({spans:o})=>o.map(({state:a})=>a))),n=Object.keys(_r).filter(o=>t.has(o)),r=o=>`<svg width="14" height="12" aria-hidden="true">${o}</svg>`,s=o=>e.entries.some(a=>a.kind===o);return`<ul class="legend">${[...n.map(o=>[`<rect class="s-${o}" y="2" width="14" height="8" rx="2"/>`,_r[o]]),...s("message")?[['<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>',"message"]]:[],...s("decision")?[['<circle class="d-deny" cx="7" cy="6" r="4"/>',"denied or asked"]]:[],...e.lanes.some(({levels:o})=>o.length>0)?[['<rect class="c-mid" y="5" width="14" height="3" rx="1"/>',"context filling"]]:[]].map(([o="",a=""])=>`<li>${r(o)}${a}</li>`).join("")}</ul>`}function Ir(e,t){let n=new Map;for(let r of e){let s=t(r),i=n.get(s.join(`
`))??{key:s,n:0};n.set(s.join(`
`),{...i,n:i.n+1})}return[...n.values()].sort((r,s)=>s.n-r.n)}var dt=(e,t,n="number")=>`<table><thead><tr>${e.map((r,s)=>`<th${s===e.length-1?` class="${n}"`:""} scope="col">${r}</th>`).join("")}</tr></thead><tbody>${t.map(r=>`<tr>${r.map((s,i)=>`<td${i===r.length-1?` class="${n}"`:""}>${s}</td>`).join("")}</tr>`).join("")}</tbody></table>`,Nr=e=>e.length>je?`<p class="empty">and ${e.length-je} more</p>`:"";function Lr({entries:e,lanes:t}){let n=e.filter(({kind:o})=>o==="message");if(n.length===0)return'<p class="empty">Nobody has written.</p>';let r=Ir(n,({agent:o,to:a=""})=>[o,a]),s=new Set(r.flatMap(({key:o})=>o));if(s.size<=Ui)return Wi(r,Ki(s,t));let i=r.slice(0,je).map(({key:o,n:a})=>[...o.map(h),String(a)]);return dt(["from","to","messages"],i)+Nr(r)}var Ui=6,Bi=4,Ki=(e,t)=>[...new Set([...t.map(({agent:n})=>n).filter(n=>e.has(n)),...e])];function Wi(e,t){let n=Math.max(...e.map(({n:o})=>o)),r=(o,a)=>{let d=e.find(({key:c})=>c[0]===o&&c[1]===a)?.n;return`<td${d?` class="h${Math.ceil(Bi*d/n)}"`:""}>${d??(o===a?"":"\xB7")}</td>`},s=t.map(o=>`<th scope="col">${h(o)}</th>`).join(""),i=t.map(o=>`<tr><th scope="row">${h(o)}</th>${t.map(a=>r(o,a)).join("")}</tr>`);return`<table class="square"><thead><tr><th scope="col"><small>from \u2193 to \u2192</small></th>${s}</tr></thead><tbody>${i.join("")}</tbody></table>`}function Dr({entries:e}){let t=Ir(e.filter(({kind:r})=>r==="decision"),({rule:r="",tone:s="",agent:i})=>[r,s,i]);if(t.length===0)return'<p class="empty">No rule had to speak.</p>';let n=t.slice(0,je).map(({key:[r="",s="",i=""],n:o})=>[h(r),h(i),`<span class="tone t-${h(s)}">${ie.get(s)??""}</span>`,String(o)]);return dt(["rule","agent","","times"],n)+Nr(t)}function Rr({tasks:e}){if(e.length===0)return'<p class="empty">No tasks on the list.</p>';let t=e.slice(-Fi),n=new Set(e.flatMap(({id:o,status:a})=>a==="completed"?o:[])),r=o=>{let a=o.filter(d=>!n.has(d));return a.length>0?` <small>waits for ${h(a.join(", "))}</small>`:""},s=t.map(({id:o,subject:a,owner:d,status:u,blockedBy:c})=>[h(o),h(a)+r(c),h(d),`<span class="tone t-${h(u)}">${h(u.replace("_"," "))}</span>`]),i=e.length-t.length;return`${Gi(e)}${dt(["","task","owner","status"],s)}${i>0?`<p class="empty">and ${C(i,"older task")}</p>`:""}`}function Gi(e){let t=s=>100*e.filter(i=>i.status===s).length/e.length,[n,r]=[t("completed"),t("in_progress")];return`<svg class="bar" role="img" aria-label="${Math.round(n)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(n+r).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${n.toFixed(2)}%" height="6" rx="3"/></svg>`}var Cr=["message","task","decision","context","state","note"];var ct=`
:root {
  color-scheme: light dark;
  --paper: #f7f6f2; --card: #ffffff; --ink: #20242a; --soft: #666c75; --line: #e5e2da; --press: #efece4;
  --accent: #17695d; --working: #2f9e8f; --idle: #c3c7cc; --waiting: #d99a2b; --failed: #c2464a; --limited: #8a63b8;
  --silent: #b07a5a; --deny: #c2464a; --ask: #d99a2b; --warn: #d9b24a; --mail: #55606e; --amber: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131519; --card: #1a1d22; --ink: #e4e5e3; --soft: #979da6; --line: #2b2f36; --press: #242830;
    --accent: #6cc9b9; --working: #3ea595; --idle: #4a505a; --waiting: #d6a044; --failed: #e0696c; --limited: #a888d4;
    --silent: #c08d6d; --deny: #e0696c; --ask: #d6a044; --warn: #cdb052; --mail: #aab2bd; --amber: #d6a044;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main { max-width: 1120px; margin: 0 auto; padding: 40px 28px 80px; }
header p { margin: 0; color: var(--soft); }
h1 { margin: 2px 0 4px; font-size: 30px; line-height: 1.2; font-weight: 640; letter-spacing: -0.015em; }
h2 { margin: 0 0 14px; font-size: 15px; font-weight: 640; }
h2 small { margin-left: 8px; font-weight: 400; font-size: 13px; color: var(--soft); }
.brand { font-size: 12px; letter-spacing: 0.08em; text-transform: uppercase; }
section { margin-top: 22px; padding: 20px 22px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 22px; margin-top: 22px; }
.pair section { margin-top: 0; }
.empty { margin: 0; color: var(--soft); }
.facts { display: grid; grid-template-columns: repeat(5, 1fr); gap: 12px; margin: 26px 0 0; padding: 0; list-style: none; }
.facts a {
  display: block; height: 100%; padding: 12px 14px; color: inherit; text-decoration: none;
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
}
.facts a:hover { border-color: var(--soft); }
.facts b { display: block; font-size: 24px; line-height: 1.2; font-weight: 600; letter-spacing: -0.01em; }
.facts span { color: var(--soft); font-size: 13px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

.timeline { display: grid; grid-template-columns: minmax(84px, max-content) minmax(0, 1fr); column-gap: 16px; }
.labels { margin: 26px 0 0; padding: 0; list-style: none; max-width: 190px; min-width: 0; }
.label { height: 46px; display: flex; flex-direction: column; justify-content: center; min-width: 0; line-height: 1.3; }
.label b, .label span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.label b { font-weight: 560; }
.label span { font-size: 12px; color: var(--soft); }
.many .label { height: 26px; flex-direction: row; justify-content: space-between; align-items: center; gap: 8px; font-size: 13px; }
#scrub { cursor: crosshair; touch-action: pan-y; min-width: 0; }
#picture { display: block; overflow: visible; }
.tick { stroke: var(--line); }
.time { fill: var(--soft); font-size: 11.5px; }
.s-working { fill: var(--working); } .s-idle { fill: var(--idle); } .s-waiting { fill: var(--waiting); }
.s-failed { fill: var(--failed); } .s-limited { fill: var(--limited); } .s-silent { fill: var(--silent); }
.c-low { fill: var(--soft); opacity: 0.45; } .c-mid { fill: var(--waiting); } .c-high { fill: var(--failed); }
.mail line { stroke: var(--mail); stroke-width: 1; opacity: 0.5; }
.mail circle { fill: var(--mail); }
.dots circle { stroke: var(--card); stroke-width: 1.5; }
.d-deny { fill: var(--deny); } .d-ask { fill: var(--ask); } .d-warn { fill: var(--warn); }
#cursor { stroke: var(--ink); stroke-width: 1; pointer-events: none; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 18px; margin: 16px 0 0; padding: 0; list-style: none; color: var(--soft); font-size: 12.5px; }
.legend li { display: flex; align-items: center; gap: 7px; }
.legend svg { flex: none; }
#moment { min-height: 20px; margin: 12px 0 0; font-size: 13px; color: var(--soft); }

table { width: 100%; border-collapse: collapse; font-size: 14px; }
th { white-space: nowrap; padding: 0 10px 6px 0; text-align: left; font-weight: 500; font-size: 12.5px; color: var(--soft); }
td { padding: 7px 10px 7px 0; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { overflow-wrap: normal; }
td small { color: var(--soft); }
td:last-child, th:last-child { padding-right: 0; }
.square td { text-align: center; border: 2px solid var(--card); padding: 8px 4px; color: var(--soft); background: var(--press); border-radius: 6px; }
.square { border-collapse: separate; border-spacing: 0; table-layout: fixed; }
.square th { padding: 4px 8px 6px 0; font-size: 13px; color: var(--ink); }
.square thead th { text-align: center; font-size: 12.5px; color: var(--soft); }
.square thead th:first-child { text-align: left; }
.square .h1, .square .h2, .square .h3, .square .h4 { color: var(--ink); font-weight: 560; }
.square .h1 { background: color-mix(in srgb, var(--working) 18%, var(--card)); } .square .h2 { background: color-mix(in srgb, var(--working) 32%, var(--card)); }
.square .h3 { background: color-mix(in srgb, var(--working) 48%, var(--card)); } .square .h4 { background: color-mix(in srgb, var(--working) 66%, var(--card)); }
.number { text-align: right; white-space: nowrap; }
.bar { width: 100%; height: 6px; margin: 0 0 16px; display: block; }
.bar .done { fill: var(--working); } .bar .doing { fill: var(--waiting); } .bar .open { fill: var(--line); }
.tone { justify-self: end; padding: 1px 8px; border-radius: 999px; font-size: 12px; white-space: nowrap; color: var(--soft); background: var(--press); }
.t-deny, .t-dead { color: var(--deny); } .t-ask, .t-warn, .t-queued, .t-claimed { color: var(--amber); }
.t-completed, .t-answered { color: var(--accent); }

.filters { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 14px; }
button, select, input {
  font: inherit; font-size: 13.5px; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; padding: 5px 11px; min-height: 34px; max-width: 100%;
}
button { cursor: pointer; }
button:hover:enabled { border-color: var(--soft); }
button:disabled { opacity: 0.45; cursor: default; }
button[aria-pressed="true"] { background: var(--ink); border-color: var(--ink); color: var(--paper); }
button small { margin-left: 5px; opacity: 0.65; font-size: 12px; }
input { flex: 1 1 180px; min-width: 0; }
#log { margin: 0; padding: 0; list-style: none; }
#log li { border-top: 1px solid var(--line); }
.row { display: grid; grid-template-columns: max-content 190px minmax(0, 1fr) auto; gap: 4px 16px; padding: 7px 4px; align-items: baseline; }
summary.row { cursor: pointer; list-style: none; }
summary.row::-webkit-details-marker { display: none; }
summary.row:hover { background: var(--press); }
summary .head::after { content: " \u2026"; color: var(--soft); }
.row time { color: var(--soft); font-size: 13px; }
.row .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 14px; }
.row .who b { font-weight: 560; } .row .who i { color: var(--soft); font-style: normal; }
.k-state .head, .k-note .head { color: var(--soft); }
pre {
  margin: 2px 4px 12px; padding: 12px 14px; background: var(--press); border-radius: 8px; white-space: pre-wrap;
  font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
}
.pages { display: flex; align-items: center; gap: 12px; margin-top: 14px; color: var(--soft); font-size: 13.5px; }
kbd { padding: 0 5px; border: 1px solid var(--line); border-radius: 4px; font: 12px ui-monospace, Menlo, Consolas, monospace; }
footer { margin-top: 26px; color: var(--soft); font-size: 13px; }

@media (max-width: 760px) {
  main { padding: 22px 14px 48px; }
  h1 { font-size: 25px; }
  section { padding: 16px 14px; }
  .pair { grid-template-columns: 1fr; gap: 16px; margin-top: 16px; }
  section { margin-top: 16px; }
  .facts { grid-template-columns: 1fr 1fr; gap: 10px; }
  .timeline { grid-template-columns: 84px minmax(0, 1fr); column-gap: 8px; }
  .row { grid-template-columns: max-content minmax(0, 1fr) auto; }
  .row .head { grid-column: 1 / -1; }
  .row .tone { grid-column: 3; grid-row: 1; }
  .square th, .square thead th { white-space: normal; font-size: 12px; }
  table { font-size: 13.5px; }
}
@media print { .filters, .pages, #moment { display: none; } section { break-inside: avoid; } }
`;var Fr=400,Vi=1500,Yi=6,ae=26,qi=46,zi=26,Hi=16,ut=e=>e>Hi?zi:qi,Xi={working:.52,waiting:.34,limited:.34,failed:.34,silent:.2,idle:.09,gone:0},Zi=({from:e,to:t,lanes:n})=>({from:e,to:t,lane:ut(n.length)}),V=(e,{from:t,to:n})=>ft(100*(e-t)/Math.max(1,n-t)),ft=e=>Math.round(e*100)/100,lt=(e,{lane:t})=>ae+e*t+t/2;function Jr(e){let t=Zi(e),n=ae+e.lanes.length*t.lane;return[`<svg id="picture" width="100%" height="${n}" role="img" aria-label="States of ${e.lanes.length} agents over time">`,ta(e,t,n),...e.lanes.map((r,s)=>`<g class="lane">${na(r,s,t)}${ra(r,s,t)}</g>`),`<g class="mail">${sa(e,t)}</g>`,`<g class="dots">${aa(e,t)}</g>`,`<line id="cursor" x1="0" x2="0" y1="${ae-6}" y2="${n}" visibility="hidden"/>`,"</svg>"].join("")}var Qi=[1,2,5,10,15,30,60,120,180,360,720,1440,2880,10080,20160,43200],jr=7;function ea(e,t,n){let r=(t-e)/6e4,s=(Qi.find(d=>r/d<=jr)??86400)*6e4,i=n*6e4,o=Math.ceil((e+i)/s)*s-i,a=Math.max(0,Math.floor((t-o)/s)+1);return Array.from({length:Math.min(a,jr+1)},(d,u)=>o+u*s)}function ta(e,t,n){let r=e.to-e.from>1728e5;return`<g class="axis">${ea(e.from,e.to,e.zone).map(i=>{let o=V(i,t),{day:a,time:d}=te(i,e.zone),u=o<4?"start":o>96?"end":"middle",c=r||d==="00:00"?a.slice(5):d;return`<line class="tick" x1="${o}%" x2="${o}%" y1="${ae-6}" y2="${n}"/><text class="time" x="${o}%" y="13" text-anchor="${u}">${c}</text>`}).join("")}</g>`}function na({agent:e,spans:t},n,r){return Le(t,r.from,r.to,Fr).map(({state:s,from:i,to:o})=>{let a=V(i,r),d=Math.max(.15,ft(V(o,r)-a)),u=Math.max(2,Math.round(Xi[s]*r.lane)),c=lt(n,r)-u/2;return`<rect class="s-${s}" x="${a}%" y="${c}" width="${d}%" height="${u}" rx="2"><title>${h(e)}: ${s}</title></rect>`}).join("")}function ra({agent:e,levels:t},n,r){return t.slice(-Fr).map(({at:s,share:i},o,a)=>{if(i<=0)return"";let d=V(s,r),u=V(Math.max(a[o+1]?.at??r.to,s),r),c=i>=90?"high":i>=75?"mid":"low",f=i>=90?4:i>=75?3:2,p=ae+(n+1)*r.lane-4-f;return`<rect class="c-${c}" x="${d}%" y="${p}" width="${ft(Math.max(.3,u-d))}%" height="${f}" rx="1"><title>${h(e)}: context at ${i} %</title></rect>`}).join("")}function sa({lanes:e,entries:t},n){let r=new Map(e.map(({agent:i},o)=>[i,o])),s=t.flatMap(({kind:i,agent:o,to:a,at:d})=>{let[u,c]=[r.get(o),r.get(a??"")];return i==="message"&&u!==void 0&&c!==void 0&&u!==c?[{a:u,b:c,at:d}]:[]});return oa(s,n,Vi,({a:i,b:o})=>`${i} ${o}`).map(({a:i,b:o,at:a})=>{let d=V(a,n),[u,c]=[lt(i,n),lt(o,n)];return`<line x1="${d}%" x2="${d}%" y1="${u}" y2="${c}"/><circle cx="${d}%" cy="${c}" r="2.6"/>`}).join("")}function oa(e,{from:t,to:n},r,s){let i=new Set(e.map(s)).size,o=Math.max(1,Math.min(1e3,Math.floor(r/Math.max(1,i)))),a=new Map;for(let d of e)a.set(`${s(d)} ${Math.floor(o*(d.at-t)/Math.max(1,n-t))}`,d);return[...a.values()].slice(-r)}var ia=["warn","ask","deny"];function aa({lanes:e,entries:t},n){let r=new Map(e.map(({agent:o},a)=>[o,a])),s=new Map,i=({tone:o})=>ia.indexOf(o??"");for(let o of t){if(o.kind!=="decision"||!r.has(o.agent))continue;let a=`${o.agent} ${Math.floor(10*V(o.at,n)/Yi)}`,d=s.get(a);(!d||i(o)>=i(d))&&s.set(a,o)}return[...s.values()].map(o=>{let a=ae+(r.get(o.agent)??0)*n.lane+8;return`<circle class="d-${h(o.tone??"")}" cx="${V(o.at,n)}%" cy="${a}" r="4"><title>${h(o.agent)}: ${h(o.head)}</title></circle>`}).join("")}var pt="<!-- a report by swarm -->",Ur=e=>`'sha256-${(0,Br.createHash)("sha256").update(e).digest("base64")}'`,da=`default-src 'none'; style-src ${Ur(ct)}; script-src ${Ur(at)}; base-uri 'none'; form-action 'none'`,ca=400;function Kr(e){return`<!doctype html>
${pt}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${da}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${h(e.title)}: swarm report</title>
<style>${ct}</style>
</head>
<body>
<main>
${la(e)}
${$r(e)}
${ua(e)}
<div class="pair">
<section id="mail"><h2>Who wrote to whom</h2>${Lr(e)}</section>
<section id="decisions"><h2>Which rules spoke</h2>${Dr(e)}</section>
</div>
<section id="tasks"><h2>Tasks</h2>${Rr(e)}</section>
${pa(e)}
<footer>Keys: <kbd>/</kbd> search, <kbd>\u2191</kbd> <kbd>\u2193</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>\u2190</kbd> <kbd>\u2192</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${Or(ma(e))}</script>
<script>${at}</script>
</body>
</html>
`}function la({title:e,from:t,to:n,zone:r}){let[s,i]=[te(t,r),te(n,r)],o=s.day===i.day?i.time:`${i.day} ${i.time}`;return`<header><p class="brand">swarm report</p><h1>${h(e)}</h1><p>${s.day} ${s.time} \u2013 ${o} ${vr(r)}, ${Ce(n-t)}</p></header>`}function ua(e){let{lanes:t}=e;if(t.length===0)return'<section id="timeline"><h2>Timeline</h2><p class="empty">Nobody was seen in this time.</p></section>';let n=t.map(({agent:s,role:i,spans:o})=>`<li class="label"><b title="${h(s)}">${h(s)}</b><span class="now">${h(i||(o.at(-1)?.state??"away"))}</span></li>`),r=ut(t.length)<40?" many":"";return`<section id="timeline"><h2>Timeline<small>${C(t.length,"agent")}</small></h2>
<div class="timeline${r}"><ul class="labels">${n.join("")}</ul>
<div id="scrub" tabindex="0" role="slider" aria-label="Moment" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="1000">${Jr(e)}</div></div>
<p id="moment"></p>${Ar(e)}</section>`}var fa={message:"Messages",task:"Tasks",decision:"Decisions",context:"Context",state:"States",note:"Notes"};function pa(e){let t=Cr.flatMap(i=>{let o=e.entries.filter(a=>a.kind===i).length;return o>0?`<button type="button" data-kind="${i}" aria-pressed="false">${fa[i]}<small>${o}</small></button>`:[]}),r=[...new Set(e.entries.flatMap(({agent:i,to:o})=>o?[i,o]:[i]))].sort().map(i=>`<option>${h(i)}</option>`);return`<section><h2 id="log-title">What happened${e.leftOut>0?`<small>${C(e.leftOut,"older entry","older entries")} not shown</small>`:""}</h2>
<div class="filters">${t.join("")}<select id="agent" aria-label="Agent"><option value="">Everybody</option>${r.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript><p class="empty">The log needs the script of this page.</p></noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`}var ma=({from:e,to:t,zone:n,entries:r,lanes:s})=>({from:e,to:t,zone:n,tones:[...ie],entries:r,lanes:s.map(({spans:i})=>Le(i,e,t,ca).map(o=>[o.state,o.from,o.to]))});var ga={m:6e4,h:36e5,d:864e5,w:6048e5};function Wr(e,t){let n=(e??"24h").match(/^(\d{1,5})\s*([mhdw])$/),r=n?t.getTime()-Number(n[1])*(ga[n[2]??""]??0):/^\d{4}-\d\d-\d\d/.test(e??"")?Date.parse(e??""):Number.NaN;if(Number.isNaN(r))throw I("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");if(r>=t.getTime())throw I("--since lies in the future");return new Date(r)}var Vr={team:{type:"string"},since:{type:"string"},out:{type:"string"},all:{type:"boolean"},"session-id":{type:"string"}};function Yr(e){let{flags:t,now:n}=e;if(t.all&&t.team)throw I("--all and --team exclude each other");let r=xa(e),s=Pr(e,r,Wr(t.since,n)),i=Kr(s);if(t.out==="-")return{text:i};let o=(0,Gr.resolve)(e.cwd,t.out??ha(s)),a=Ut(o,200)?.text;if(a!==void 0&&!a.includes(pt))throw I(`${o} is there and is no report; --out names another file`);Ht(o,i);let d={agents:s.lanes.length,entries:s.entries.length,tasks:s.tasks.length},c=`${`${C(d.agents,"agent")}, ${C(d.entries,"entry","entries")}, ${C(d.tasks,"task")}`}. Open it in a browser; it holds the messages' texts.`;return{text:`${o}
${c}`,data:{path:o,...d}}}function ha({title:e,to:t,zone:n}){return`swarm-report-${w(e)?"machine":e.replaceAll(" ","-")}-${te(t,n).day}.html`}function xa({flags:e,places:t,identity:n}){let r=e.all?void 0:e.team??n.team,s=r!==void 0&&!w(r)&&oe(t,r)!==void 0;if(e.team!==void 0&&!s)throw I(`there is no team ${JSON.stringify(r)}; \`swarm list-teams\` shows those there are`);return s?r:void 0}An({usage:`swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h. --out - prints it.`,flags:Vr,run:Yr});
