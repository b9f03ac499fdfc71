var $path=require("node:path"),$fs=require("node:fs");var qn=$path;var jt=$path,Ft=require("node:util");var b=$fs,Xn=16*1024*1024,Be=b.constants.O_RDONLY|(b.constants.O_NONBLOCK??0);function We(e){try{return(0,b.readFileSync)(e,"utf8")}catch(t){if(T(t))return;throw t}}function R(e,t=Xn){let n=Zn(e);if(n){if(!n.isFile())throw new Error(`${e} is not a regular file`);if(n.size>t)throw new Error(`${e} has ${n.size} bytes, more than ${t}`);try{return(0,b.readFileSync)(e,{encoding:"utf8",flag:Be})}catch(r){if(T(r))return;throw r}}}function G(e,t){let n=Ge(e);if(n!==void 0)try{let{size:r}=qe(n,e),s=Math.max(0,r-t);return{text:Ve(n,s,r-s).toString("utf8"),size:r}}finally{(0,b.closeSync)(n)}}function Ke(e,t){let n=G(e,t)?.text??"";return n.length<t?(G(`${e}.1`,t)?.text??"")+n:n}function ze(e,t){let n=Ge(e);if(n!==void 0)try{let{size:r}=qe(n,e);return{text:Ve(n,0,Math.min(t,r)).toString("utf8"),size:r}}finally{(0,b.closeSync)(n)}}function Zn(e){try{return(0,b.statSync)(e,{throwIfNoEntry:!1})}catch(t){if(_(t,"EACCES"))return;throw t}}function Ge(e){if((0,b.existsSync)(e))try{return(0,b.openSync)(e,Be)}catch(t){if(T(t))return;throw t}}function qe(e,t){let n=(0,b.fstatSync)(e);if(!n.isFile())throw new Error(`${t} is not a regular file`);return n}function Ve(e,t,n){let r=Buffer.allocUnsafe(n),s=0;for(;s<n;){let i=(0,b.readSync)(e,r,s,n-s,t+s);if(i===0)break;s+=i}return r.subarray(0,s)}var T=e=>_(e,"ENOENT")||_(e,"ENOTDIR"),_=(e,t)=>e?.code===t;var j=(e,t)=>new Error(`${e||"it"} must be ${t}`),Ye=(e,t)=>se(e,t,"string","text")??"";var d=(e,t)=>se(e,t,"string","text"),re=(e,t)=>se(e,t,"boolean","true or false"),O=(e,t)=>se(e,t,"number","a number"),He=e=>e,g=(e,t)=>{if(typeof e!="string")throw j(t,"text");return e},Xe=(e,t)=>{if(typeof e!="string"&&typeof e!="number")throw j(t,"text or a number");return e},F=(e,t)=>{if(typeof e!="number")throw j(t,"a number");return e},Ze=(e,t)=>{if(e==null)return{};if(typeof e!="object"||Array.isArray(e))throw j(t,"an object");return e};var E=e=>(t,n)=>{if(t==null)return[];if(!Array.isArray(t))throw j(n,"a list");return t.map((r,s)=>e(r,`${n}.${s}`))},P=e=>(t,n)=>t==null?void 0:e(t,n);var y=e=>{let t;return(n,r)=>{if(typeof n!="object"||n===null||Array.isArray(n))throw j(r,"an object");let s=n,i={...s};t??=Object.entries(e);for(let[o,a]of t){let c=a(s[o],r?`${r}.${o}`:o);c!==void 0?i[o]=c:o in s&&delete i[o]}return i}};function se(e,t,n,r){if(e!=null){if(typeof e!==n)throw j(t,r);return e}}var Qe=$fs;function X(e){try{return(0,Qe.readdirSync)(e)}catch(t){if(T(t))return[];throw t}}var L=$path,Qn=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,er=/[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,et=100,tt="fine";function v(e){if(e===tt)return;let t=nr(e);return t===void 0&&(tt=e),t}var tr=/^\w[\w-]{4,99}$/;function nr(e){if(typeof e!="string"||e==="")return"is empty";if(!tr.test(e)){if(er.test(e))return'contains a separator, a control character or one of : * ? " < > |';if(/^[.\-\s]/.test(e))return"starts with a dot, a dash or a space";if(/[.\s]$/.test(e))return"ends with a dot or a space";if(Qn.test(e))return"is a reserved device name";if(Buffer.byteLength(e)>et)return`is longer than ${et} bytes`}}function S(e){let t=v(e);if(t)throw new Error(`the name ${JSON.stringify(String(e).slice(0,80))} ${t}`);return e}var Se={base:"",clean:""};function q({base:e},...t){Se.base!==e&&(Se={base:e,clean:(0,L.join)(e,"x").slice(0,-2)});let n=Se.clean;for(let r of t)n+=L.sep+r;return n}var J=(e,...t)=>q(e,"swarm",...t);var nt=e=>J(e,"settings.toml"),rt=e=>J(e,"sessions"),st=(e,t)=>J(e,"sessions",`${S(t)}.json`);var ot=(e,t,n)=>J(e,"agents",S(t),`${S(n)}.json`);var it=(e,t)=>J(e,"context",S(t),"status-line.json"),at=(e,t,n)=>J(e,"context",S(t),"voices",`${S(n)}.json`);var ct=(e,t)=>J(e,"journal",`${t}.jsonl`);var oe=e=>(0,L.join)(e.base,"teams"),Z=(e,t)=>q(e,"teams",S(t),"config.json"),dt=(e,t,n)=>q(e,"teams",S(t),"inboxes",`${S(n)}.json`),lt=(e,t)=>q(e,"teams",S(t),"inboxes");var ut=(e,t,n)=>q(e,"teams",S(t),"archive",`${S(n)}.jsonl`),mt=(e,t)=>q(e,"teams",S(t),"archive");var ke=(e,t)=>(0,L.join)(e.base,"tasks",t.replace(/[^A-Za-z0-9_-]/g,"-")||S(t));function pt(e,t,n){if(!/^[1-9]\d{0,8}$/.test(n))throw new Error(`a task is named by its number, not by ${JSON.stringify(n)}`);return(0,L.join)(ke(e,t),`${n}.json`)}var rr=(e,...t)=>(0,L.join)(e.atmHome,".claude","daemon",...t),ft=e=>rr(e,"hooks","events.jsonl");var xt=$fs;var gt=Symbol.for("swarm.shared");function ie(){let e=globalThis;return e[gt]??={problems:[],ids:0,deadline:Number.POSITIVE_INFINITY},e[gt]}var ht=e=>{ie().problems.push(e)};var U=e=>{Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)};var sr=3,or=50;function $(e,t){let n=We(e);if(n===void 0)return;let r=yt(n,t);if(r.ok)return r.value;ir(e,r.why)}function I(e,t){for(let n=1;;n++){let r=R(e);if(r===void 0)return;let s=yt(r,t);if(s.ok)return s.value;if(n===sr)return;U(or)}}function yt(e,t){try{let n=JSON.parse(e);return{ok:!0,value:typeof t=="function"?t(n,""):t.parse(n)}}catch(n){return{ok:!1,why:n.message.split(`
`)[0]??""}}}function ir(e,t){let n=`${e}.corrupt-${new Date().toISOString().replace(/[:.]/g,"-")}`;try{(0,xt.renameSync)(e,n)}catch(r){if(T(r))return;throw r}ht(`${e} is damaged (${t}); moved to ${n}`)}var ar=10,cr=15,dr={win32:["EPERM","EACCES","EBUSY","ENOTEMPTY"]},lr=["EBUSY","ESTALE"],ur=(e,t=process.platform)=>(dr[t]??lr).some(n=>_(e,n));function bt(e,t=process.platform){for(let n=1;;n++)try{return e()}catch(r){if(n===ar||!ur(r,t))throw r;U(cr)}}var k=$fs,Te=$path;var mr=0;function wt(e,t,n={}){let r=`${e}.tmp.${process.pid.toString(16)}-${(++mr).toString(16)}`;try{pr(r,t,n.durable===!0),bt(()=>{n.beforeRename?.(),(0,k.renameSync)(r,e)})}catch(s){throw(0,k.rmSync)(r,{force:!0}),s}n.durable&&gr((0,Te.dirname)(e))}function pr(e,t,n){let r=()=>(0,k.writeFileSync)(e,t,{encoding:"utf8",flag:"wx",mode:384,flush:n});try{r()}catch(s){if(!_(s,"ENOENT"))throw s;fr((0,Te.dirname)(e)),r()}}var fr=e=>{(0,k.mkdirSync)(e,{recursive:!0,mode:448})};function gr(e){if(process.platform==="win32")return;let t=(0,k.openSync)(e,"r");try{(0,k.fsyncSync)(t)}finally{(0,k.closeSync)(t)}}var St=y({__proto__:null,session:g,agentId:d,wrapper:d,parent:d,previous:d,next:d,kind:d,team:d,agent:d,isLead:re,evidence:P(E(g)),role:d,mode:d,mission:d,model:d,client:d,pid:O,pidStartedAt:d,pane:d,tmux:d,cwd:d,project:d,transcript:d,source:d,state:g,status:g,tool:P(y({name:g,id:d,since:g,permission:d})),statusText:d,failure:d,lastWords:d,startedAt:g,turnStartedAt:d,lastSeen:g,endedAt:d,endReason:d});var hr=(e,{session:t,agentId:n})=>n?ot(e,t,n):st(e,t),kt=(e,t)=>$(hr(e,t),St);var Tt=e=>xr(rt(e));function xr(e,t=()=>!0){return X(e).filter(n=>n.endsWith(".json")&&t(n.slice(0,-5))).flatMap(n=>$(`${e}/${n}`,St)??[])}var B=$path;var ae=[],ce={},yr={__proto__:null,"core.default_team":void 0,"core.identity":void 0,"core.welcome-message":void 0,"gate.orchestrators":["scrum-master"],"gate.max_teammates":16,"gate.max_spawns_per_hour":void 0,"gate.max_depth":void 0,"gate.premium_models":["opus"],"gate.max_premium":void 0,team:ce,"guard.enabled":!0,"guard.rules":ce,"guard.protect":ae,"guard.unprotect":ae,"guard.allow_paths":ae,"guard.allow_commands":ce,"comms.tools":ae,"comms.contacts":void 0,"context.core":["Desktop/TODAY.md","Desktop/MEMORY.md","Desktop/SYSTEM-INDEX.md"],"context.roles_dir":void 0,"context.window":void 0,"context.warn":[60,80,90,95],"context.max_chars":6e3,"heartbeat.throttle_s":60,"heartbeat.stale_s":300,"mail.deliver":["start","prompt","tool","stop","push"],"mail.keep_read":50,"mail.retention_days":30,"teammates.keep_alive":!1,"tasks.enforce":!0,"tasks.verify":void 0,"tasks.verify_timeout_s":120,"tasks.hold_idle":!1,"effort.block_after":10,"effort.overflow_warn":90,"effort.precompact":"snapshot","scratchpad.enabled":"auto","scratchpad.sections":["What I did","Cross-agent observations","Unresolved"],"scratchpad.exclude":["coordinator","ego"],"scratchpad.exempt":["Explore","Plan"],"scratchpad.empty_is_missing":!1,"scratchpad.max_blocks":2,"display.pane_color":"team","gc.keep_days":30,features:ce},Ee=yr;var br=256*1024;function Et(e,t,n){let r=[],s=nt(e),i=Pt(s,r),o=i?{path:s,text:i}:void 0,a=wr(t,n,r),c={projectFile:a?.path,personFile:s,problems:r};if(!o&&!a?.text)return{values:Ee,sources:{},projectAsks:{},...c};let{combine:u}=require("../lazy/settings-files.cjs");return{...u(Ee,o,a,r),...c}}function wr(e,t,n){let r=t!==void 0&&t!==e&&Sr(e,t)?t:e;for(let s=e;;s=(0,B.dirname)(s)){let i=(0,B.join)(s,".atm.toml"),o=Pt(i,n);if(o!==void 0)return{path:i,text:o};if(s===r||s===(0,B.dirname)(s))return}}function Sr(e,t){let n=(0,B.relative)(t,e);return n===""||!(n.startsWith("..")||n.startsWith("/")||/^[a-z]:/i.test(n))}function Pt(e,t){try{return R(e,br)}catch(n){return t.push(`${e}: ${n.message}`),""}}var de=$fs;var _e=$fs;var Q=$fs,_t;function Pe(){return _t??=kr(()=>{let e=(0,Q.readlinkSync)("/proc/self/ns/pid").replace(/\D/g,""),t=(0,Q.readFileSync)("/proc/sys/kernel/random/boot_id","utf8").slice(0,8),n=(0,Q.readFileSync)("/proc/sys/kernel/hostname","utf8").trim();return`${e}.${t}.${n}`}),_t}function vt(e){if(e===Pe())return;let[,t,...n]=e.split("."),[,r,...s]=Pe().split(".");return t!==r&&n.join(".")===s.join(".")?"gone":"unknown"}function kr(e){try{return e()}catch{return""}}var $t=$fs;function Mt(e,t=process.platform){if(t==="linux")return Tr(Pr(e));if(t==="darwin")return Er(_r(e))}function Tr(e){let t=e?.slice(e.lastIndexOf(")")+2).split(" "),n=t?.[19];return n?{isZombie:t[0]==="Z",parent:Number(t[1]),startedAt:n}:void 0}function Er(e){let t=e?.trim().match(/^(\S+)\s+(\d+)\s+(\S.*)$/);if(!t)return;let[,n="",r,s=""]=t;return{isZombie:n.startsWith("Z"),parent:Number(r),startedAt:s.replace(/\s+/g," ")}}function Pr(e){try{return(0,$t.readFileSync)(`/proc/${e}/stat`,"utf8")}catch(t){if(T(t)||_(t,"ESRCH"))return;throw t}}function _r(e){let{spawnSync:t}=require("node:child_process"),n={encoding:"utf8",timeout:1e3,env:{LC_ALL:"C",TZ:"UTC"}},{status:r,stdout:s}=t("/bin/ps",["-o","state=,ppid=,lstart=","-p",String(e)],n);return r===0?s:void 0}var Pi=y({pid:F,startedAt:d,session:g,team:d,agent:d,pane:d,tmux:d});function At(e){if(process.platform!=="linux")return[];try{return(0,_e.readFileSync)(`/proc/${e}/cmdline`,"utf8").split("\0").slice(0,-1)}catch{return[]}}function ve({pid:e,startedAt:t}){if(!e)return"unknown";let[n,...r]=(t??"").split("@"),s=r.length>0?vt(r.join("@")):void 0;if(s)return s;let i=Mt(e);return(i?i.isZombie:!vr(e))?"gone":!n||!i?"unknown":i.startedAt===n?"alive":"gone"}function vr(e){try{return process.kill(e,0),!0}catch(t){return _(t,"EPERM")}}var le=e=>/^session-[0-9a-f]{8}$/.test(e),$r=y({name:g,leadSessionId:d,leadProcess:P(y({pid:F,procStart:d})),members:E(y({name:g,agentId:d,agentType:d,model:d,tmuxPaneId:d,backendType:d,isActive:re}))});function Mr(e){return Ar(e).flatMap(t=>I(Z(e,t),$r)??[])}function Ar(e){let t=oe(e);return(0,de.existsSync)(t)?(0,de.readdirSync)(t).filter(le):[]}function Lt(e,t){let n=At(t.clientPid),r=Ot(n,"--agent-name"),s=Ot(n,"--team-name");if(r&&s&&le(s))return{team:s,agent:r,isLead:!1,kind:"pane",by:"process"};let i=Mr(e),o=i.find(a=>a.leadSessionId===t.session||a.leadProcess?.pid===t.clientPid);return o?{team:o.name,agent:"team-lead",isLead:!0,kind:"lead",by:"lead"}:t.pane&&n.length===0?Or(i,t.pane):void 0}function Or(e,t){for(let{name:n,members:r}of e){let s=r.find(i=>i.backendType==="tmux"&&i.tmuxPaneId===t);if(s)return{team:n,agent:s.name,isLead:!1,kind:"pane",by:"pane"}}}function Ot(e,t){let n=e.indexOf(t);return n<0?void 0:e[n+1]}var V="team-lead",ue=e=>e.match(/^a(.+)-[0-9a-f]{16}$/)?.[1];function It(e){let{agent_id:t,agent_type:n,teammate_name:r,team_name:s}=e.payload,i=Ir(e);if(t)return Lr(t,n,s,i);if(!r)return i;let o=i.isLead&&i.agent!==r;return{kind:i.kind==="named"?"named":o?"in-process":"pane",team:s||i.team,agent:r,isLead:r===V,evidence:["payload teammate_name"]}}function Lr(e,t,n,r){let s=ue(e);return s&&s===t?{kind:"in-process",team:n||r.team,agent:s,isLead:!1,evidence:["payload agent_id"]}:{kind:"subagent",team:r.team,agent:t||e,isLead:!1,parent:r.agent,evidence:["payload agent_id",...r.evidence]}}function Ir(e){let t=Rr(e.native),n=[["client command line",()=>t()?.by==="process"?t():void 0],["environment",()=>Dr(e.named)],["environment ATM_*",()=>({team:e.atm.team,agent:e.atm.identity})],["session record",e.record],["native team config",t],[".atm.toml",()=>Cr(e.settings())]];return Nr(n)}function Nr(e){let t={kind:"solo",team:void 0,agent:void 0,isLead:!1,evidence:[]};for(let[n,r]of e){let s=r();if(!(!s||s.team&&t.team&&s.team!==t.team||!(s.team&&!t.team||s.agent&&!t.agent))&&(t.evidence.push(n),t.team??=s.team,!t.agent&&s.agent&&(t.agent=s.agent,t.isLead=s.isLead??s.agent===V,t.kind=s.kind??"solo"),t.team&&t.agent))break}return t.kind==="solo"&&t.team&&t.agent&&(t.kind=t.isLead?"lead":"named"),t}function Dr({team:e,agent:t,agentId:n,agentType:r,leadId:s}){return{team:e,agent:t,isLead:t===V||r===V||n!==void 0&&n===s,kind:e&&t?"named":void 0}}var Cr=({team:e,identity:t})=>({team:e,agent:t});function Rr(e){let t;return()=>(t??={value:e()},t.value)}function Nt(e,t,n,r){let s=e.session_id??"";return It({payload:e,named:t.named,atm:t.atm,record:()=>n(),native:()=>Lt(t.places,{session:s,clientPid:t.clientPid,pane:t.pane}),settings:()=>({team:r()["core.default_team"],identity:r()["core.identity"]})})}var W=$fs;var jr=64*1024*1024,Fr=64*1024,Dt=2;function Ct(){let e=ie().stdin??Jr();if(e.length>jr)throw new Error(`the input has ${e.length} characters, too many`);return e}function Jr(){try{return(0,W.readFileSync)(0,"utf8")}catch(e){let{code:t}=e;if(t==="EOF"||t==="EBADF"||t==="ENXIO")return"";if(t!=="EAGAIN")throw e;return Ur()}}function Ur(){let e=[];for(let t=Buffer.alloc(Fr);;)try{let n=(0,W.readSync)(0,t);if(n===0)return Buffer.concat(e).toString("utf8");e.push(Buffer.from(t.subarray(0,n)))}catch(n){if(n.code!=="EAGAIN")throw n;U(Dt)}}function $e(e,t){let n=Buffer.from(t,"utf8");for(let r=0;r<n.length;)r+=Br(e,n,r)}function Br(e,t,n){try{return(0,W.writeSync)(e,t,n)}catch(r){let{code:s}=r;if(s==="EPIPE"||s==="EBADF")return t.length-n;if(s!=="EAGAIN")throw r;return U(Dt),0}}var Ae=$path,Wr=()=>process.env;function Rt(e=Wr()){let t=zr(e);return{__proto__:null,places:t,cwd:qr(t.home),now:new Date,projectDir:p(e.CLAUDE_PROJECT_DIR),clientPid:Kr(e),insideClient:e.CLAUDECODE==="1"||Me(e.CLAUDE_PID)!==void 0,clientVersion:Vr(e.AI_AGENT),entrypoint:p(e.CLAUDE_CODE_ENTRYPOINT),sessionId:p(e.CLAUDE_CODE_SESSION_ID),wrapperId:p(e.CLAUDE_SESSION_ID),role:p(e.CLAUDE_SESSION_ROLE),mode:Yr(e.CLAUDE_SESSION_MODE),missionId:p(e.MISSION_EXECUTION_ID),projectPath:p(e.PROJECT_PATH),compactWindow:Me(e.CLAUDE_CODE_AUTO_COMPACT_WINDOW),attended:Hr(e.CLAUDE_CODE_SESSION_ATTENDED),pane:p(e.TMUX_PANE),tmux:p(e.TMUX),envFile:p(e.CLAUDE_ENV_FILE),pluginRoot:p(e.CLAUDE_PLUGIN_ROOT),ownRoot:(0,Ae.join)(__dirname,"..",".."),env:e,teammateCommand:p(e.CLAUDE_CODE_TEAMMATE_COMMAND),clientProgram:p(e.CLAUDE_CODE_EXECPATH),multiplexer:p(e.SWARM_MULTIPLEXER)??p(e.CLAUDE_CODE_TEAMMATE_MODE),kitty:{socket:p(e.KITTY_LISTEN_ON),mode:p(e.SWARM_KITTY_MODE)},named:{team:p(e.CLAUDE_CODE_TEAM_NAME),agent:p(e.CLAUDE_CODE_AGENT_NAME),agentId:p(e.CLAUDE_CODE_AGENT_ID),agentType:p(e.CLAUDE_CODE_AGENT_TYPE),leadId:p(e.CLAUDE_CODE_TEAM_LEAD_ID)},clientFlags:{teams:p(e.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),taskTools:p(e.CLAUDE_CODE_ENABLE_TODO_TOOLS)},taskList:p(e.CLAUDE_CODE_TASK_LIST_ID),atm:{team:p(e.ATM_TEAM),identity:p(e.ATM_IDENTITY)},fleetId:p(e.AGENT_ID),keepAlive:e.SWARM_KEEP_ALIVE==="true",path:e.PATH??"",noColour:p(e.NO_COLOR)!==void 0,nodeVersion:process.versions.node,system:`${process.platform} ${process.arch}`,knowsModes:process.platform!=="win32",extraCertificates:p(e.NODE_EXTRA_CA_CERTS),disabled:new Set(e.SWARM_DISABLE?.split(/[\s,]+/).filter(Boolean)),entry:process.argv[2]}}var Kr=e=>Me(e.CLAUDE_PID)??process.ppid;function zr(e){let t=p(e.HOME)??p(e.USERPROFILE)??Gr();return{home:t,base:p(e.CLAUDE_CONFIG_DIR)??(0,Ae.join)(t,".claude"),atmHome:p(e.ATM_HOME)??t,tmp:p(e.TMPDIR)??p(e.TEMP)??p(e.TMP)??"/tmp"}}function Gr(){let{homedir:e}=require("node:os");return e()}function qr(e){try{return process.cwd()}catch(t){if(t.code!=="ENOENT")throw t;return e}}var p=e=>e===void 0||e.trim()===""?void 0:e;function Vr(e=""){let[t,n=""]=e.split("_"),r=n.split("-").slice(0,3).map(Number);return t==="claude-code"&&r.length===3&&r.every(Number.isInteger)?r.join("."):void 0}function Me(e){let t=Number(e);return Number.isSafeInteger(t)&&t>1?t:void 0}function Yr(e){return e==="mission"||e==="background"?e:"interactive"}function Hr(e){return e==="1"?!0:e==="0"?!1:void 0}var M=e=>Object.assign(new Error(e),{isCall:!0});function Jt(e){try{let{words:t,flags:n,help:r}=Zr(e),s=r?{text:e.usage}:e.run(Qr(t,n));if(!s)return;let i=n.json?JSON.stringify(s.data??{text:s.text},null,2):s.text;i&&$e(1,`${i}
`),process.exitCode=s.exitCode??0}catch(t){Xr(e.usage,t)}}function Xr(e,t){let n=t instanceof Error?t.message:String(t),r=t?.isCall===!0;$e(2,`swarm: ${n}
${r?`usage: ${e.split(`
`)[0]}
`:""}`),process.exitCode=r?2:1}function Zr(e){let t={...e.flags,json:{type:"boolean"},help:{type:"boolean",short:"h"}};try{let{values:n,positionals:r}=(0,Ft.parseArgs)({args:process.argv.slice(2),options:t,allowPositionals:!0}),{help:s,...i}=n;return{words:r,flags:i,help:s===!0}}catch(n){throw M(n.message.split(". ")[0]??"bad call")}}function Qr(e,t){let n=Rt(),s=t["session-id"]??n.sessionId,i=Et(n.places,n.cwd,n.projectDir),o=()=>s?kt(n.places,{session:s}):void 0;return{...n,words:e,flags:t,session:s,loaded:i,get identity(){return Nt({session_id:s},ts(n,o()),o,()=>i.values)},stdin:Ct,readInput:a=>es((0,jt.resolve)(n.cwd,a))}}function es(e){let t=R(e);if(t===void 0)throw M(`there is no file ${e}`);return t}var ts=(e,t)=>t?.team&&t.agent?{...e,named:{},atm:{}}:e;var Ut=(e,t)=>{let{members:n,...r}=Ze(e,t);return{...Bt(r),members:Array.isArray(n)?n.flatMap(ns):[]}};function ns(e){if(typeof e!="object"||e===null)return[];let{pid:t,...n}=e,r={...Bt(n),...typeof t=="number"?{pid:t}:{}};return r.name?[r]:[]}var Bt=e=>Object.fromEntries(Object.entries(e).filter(t=>typeof t[1]=="string"));function me(e,t){let n=Z(e,t);return le(t)?I(n,Ut):$(n,Ut)}var pe=$path;var rs=["input_tokens","cache_creation_input_tokens","cache_read_input_tokens"];function Wt(e,t=!1){let n=e.split(`
`);for(let r=n.length-1;r>=0;r--){let s=os(n[r]??"");if(!s||s.isSidechain===!0&&!t)continue;if(s.subtype==="compact_boundary")return Kt(s.compactMetadata?.postTokens);let i=s.type==="assistant"?ss(s.message?.usage):0;if(i>0)return i}}var ss=e=>rs.reduce((t,n)=>t+(Kt(e?.[n])??0),0),Kt=e=>typeof e=="number"&&Number.isFinite(e)&&e>0?e:void 0;function os(e){if(!(!e.startsWith("{")||!/"usage"|"compact_boundary"/.test(e)))try{return JSON.parse(e)}catch{return}}var zt=[8*1024,64*1024,4*1024*1024],na=zt[1];function Gt(e){let{agent_transcript_path:t,agent_id:n,session_id:r,transcript_path:s}=e;return t||(!n||!s||v(n)||v(r)?s:(0,pe.join)((0,pe.dirname)(s),r,"subagents",`agent-${n}.jsonl`))}function qt(e){if(!e)return;let t=/[\\/]subagents[\\/]/.test(e);for(let n of zt){let r=G(e,n),s=Wt(r?.text??"",t);if(s!==void 0||!r||r.size<=n)return s}}var is="main",as=y({window:F,tokens:O,percent:O,model:d,at:g}),cs=(e,t)=>$(it(e,t),as);var ds=y({said:F,compactsAt:O,remindedAt:d,summedUpTo:d}),ls=(e,t,n)=>$(at(e,t,n),ds)??{said:0};function Vt(e,t,n){let{session_id:r,agent_id:s=is}=t,i=r?qt(Gt(t)):void 0;if(i===void 0)return;let o=us(e,{session:r,agent:s},n,i);return o?{tokens:i,window:o,share:100*i/o}:void 0}function us(e,t,{setting:n,compactWindow:r,isMeasured:s=!0},i){let o=[()=>s?cs(e,t.session)?.window:void 0,()=>n,()=>r,()=>s?ls(e,t.session,t.agent).compactsAt:void 0];for(let a of o){let c=a();if(c&&c>=i)return c}}var Yt=$fs;var la=512*1024,Oe=e=>e.toISOString().slice(0,10);var ms=864e5,ps=400,Ht=96*1024*1024;function Xt(e,t,n){let r=[],s=Ht;for(let i=n.getTime(),o=0;o<ps&&s>0;i-=ms,o++){let a=Oe(new Date(i));if(a<Oe(t))break;let{lines:c,bytes:u}=en(ct(e,a),s);r.push(c.flatMap(gs)),s-=u}return r.reverse().flat().sort(Zt)}var Zt=(e,t)=>e.at<t.at?-1:e.at>t.at?1:0,Qt=(e,t)=>en(ft(e),Ht).lines.flatMap(hs).filter(({at:n})=>Date.parse(n)>=t.getTime()).sort(Zt);function en(e,t){let n=[`${e}.1`,e].filter(s=>(0,Yt.existsSync)(s)).map(s=>G(s,t)?.text??""),r=n.reduce((s,i)=>s+i.length,0);return{lines:n.flatMap(s=>s.split(`
`).flatMap(fs)),bytes:r}}function fs(e){if(e==="")return[];try{return[JSON.parse(e)]}catch{return[]}}var N=(e,t)=>typeof e[t]=="string"?e[t]:"",Le=e=>typeof e=="object"&&e!==null&&!Array.isArray(e);function gs(e){if(!Le(e)||Number.isNaN(Date.parse(N(e,"at"))))return[];let n=Object.fromEntries(["id","at","event","session","agent","feature","what"].map(r=>[r,N(e,r)]));return[{...e,...n}]}function hs(e){if(!Le(e))return[];let t=Le(e.source)?N(e.source,"kind"):"";return[{type:N(e,"type"),agent:N(e,"agent"),team:N(e,"team"),session:N(e,"session_id"),at:N(e,"received_at"),source:t}]}var ee=$fs;var fe=e=>e.replace(/[\u0000-\u001f\u007f-\u009f]+/g," ").trim();var nn=y({author:g,text:g,timestamp:g}),xs=y({state:d,comments:P(E(nn)),lease:P(y({session:d,at:g})),createdBy:d,createdAt:d}),ys=y({subject:g,description:Ye,activeForm:d,owner:d,status:g,blocks:E(g),blockedBy:E(g),metadata:P(y({swarm:tn(xs)})),comments:P(E(tn(nn)))});function tn(e){return(t,n)=>{try{return P(e)(t,n)}catch{return}}}var bs={blocked:"pending",in_review:"in_progress"},rn=e=>(t,n)=>{let{owner:r="",comments:s,...i}=ys(t,n),o=fe(r),a={...i,id:e,...o?{owner:o}:{}},c=bs[a.status],u={...c?{state:a.status}:{},...s?{comments:s.filter(l=>l!==void 0)}:{}};return Object.keys(u).length>0?Ss({...a,status:c??a.status},u):a},ws=e=>e.metadata?.swarm??{},Ss=(e,t)=>({...e,metadata:{...e.metadata,swarm:{...ws(e),...t}}});var ks=(e,t,n)=>I(pt(e,t,n),rn(n)),sn=(e,t)=>Ts(ke(e,t)).flatMap(n=>ks(e,t,n)??[]);function Ts(e){try{return(0,ee.readdirSync)(e).flatMap(n=>n.match(/^([1-9]\d{0,8})\.json$/)?.[1]??[]).sort((n,r)=>Number(n)-Number(r))}catch(t){if(T(t))return[];throw t}}var on=$fs;var an=P(Xe),Es=y({name:g,agentId:d,agentType:d,model:d,color:d,joinedAt:an,cwd:d,sessionId:d,pid:O,pidStartedAt:d,paneId:d,backend:d,socket:d,log:d,permissionMode:d,status:d,lastSeen:d,prompt:d}),$a=y({name:d,description:d,createdAt:an,leadAgentId:d,leadSessionId:d,status:d,suspendedAt:d,resumedAt:d,members:E(Es)});function cn(e){try{return(0,on.readdirSync)(oe(e),{withFileTypes:!0}).flatMap(n=>n.isDirectory()&&!v(n.name)?n.name:[])}catch(t){if(T(t))return[];throw t}}var D=e=>typeof e=="string"?e:JSON.stringify(e)??"";function ln(e){if(typeof e!="object"||e===null||Array.isArray(e))return;let t=e,n=t.text??t.content;if(typeof n=="string")return{...t,id:dn(t.id,t.msg_id,t.message_id),from:dn(t.from)||"unknown",text:n,timestamp:Ps(t.timestamp),read:t.read===!0}}var dn=(...e)=>e.find(t=>typeof t=="string"&&t!=="")??"";function Ps(e){if(typeof e=="string")return e;let t=typeof e=="number"?new Date(e):void 0;return t&&!Number.isNaN(t.getTime())?t.toISOString():""}function Ie(e,t){return e.state==="answered"||e.state==="dead"?e.state:e.read?"shown":_s(e,t)?"claimed":"queued"}function _s({claim:e},t){let n=Date.parse(e?.at??"");return Math.abs(t.getTime()-n)<3e4}var vs=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,te=e=>$s(e).replace(/\r\n?/g,`
`).replace(vs,"");var $s=e=>e.toWellFormed();var Ms=160,Ne=4e3,Y=new Map([["deny","denied"],["ask","asked"],["warn","warned"]]),As=new Set(["mail-delivered","report","teammate-idle","member-ended"]),Os=new Set(["state","session-start","session-end","member-state","member-crashed"]),Ls=new Set(["id","at","event","session","agent","feature","what"].concat(["team","name","kind","list","who"]));function un(e,t){if(As.has(e.what))return;let n={at:Date.parse(e.at),agent:t};return Y.get(e.what)?{...n,...Is(e)}:e.task!==void 0?{...n,...Ds(e)}:e.what==="context-level"?{...n,kind:"context",head:`context at ${e.share} %`}:{...n,kind:Os.has(e.what)?"state":"note",...Cs(e)}}function Is(e){let t=x(e.rule,80)||e.feature,n=[e.tool,e.input].filter(Boolean).join(" "),r=[e.reason,n&&`Asked for: ${n}`,e.id&&`swarm explain ${e.id}`];return{kind:"decision",head:x(`${t}: ${Ns(D(e.reason??Y.get(e.what)))}`),text:ge(r.filter(Boolean).join(`

`)),tone:e.what,rule:t}}var Ns=e=>e.split(/(?<=[.!?])\s|\n/)[0]??"";function Ds(e){let{what:t,owner:n,comment:r}=e,s=D(t).replace(/^task-/,"").replaceAll("-"," "),i=n?` (${n})`:"";return{kind:"task",head:x(`#${e.task} ${e.subject??""}: ${s}${i}`),text:r?ge(D(r)):void 0,tone:x(e.status,20)||void 0}}function Cs(e){let t=Object.entries(e).filter(([s,i])=>!Ls.has(s)&&s!==e.what&&i!==void 0&&i!=="").map(([s,i])=>`${s}: ${typeof i=="string"?i:JSON.stringify(i)}`),n=e.what==="state"?D(e.state??""):e.what.replaceAll("-"," "),r=x([n,...t].join(" \xB7 "));return{head:r,text:r.endsWith("\u2026")?ge(t.join(`
`)):void 0}}function mn(e,t,n){let r=ge(e.text),s=x(e.summary??r.split(`
`).find(i=>i.trim()!=="")??"");return{at:Date.parse(e.timestamp),kind:"message",agent:x(e.from,80),to:t,head:s||"(empty)",text:r===s?void 0:r,tone:Ie(e,n)}}function x(e,t=Ms){let n=e==null?"":fe(te(D(e)));return n.length>t?`${n.slice(0,t-1).trimEnd()}\u2026`:n}var ge=e=>{let t=te(e).trim();return t.length>Ne?`${t.slice(0,Ne)}
\u2026 (${t.length-Ne} more characters)`:t};function pn(e,t){let n=new Map,r=(s,i,o)=>n.set(s,{...n.get(s),...Rs({team:i,name:o})});for(let{session:s,team:i,agent:o}of e)r(s,i,o);for(let s of t)s.agent==="main"&&(s.name||s.team)&&s.feature==="sessions"&&r(s.session,s.team,s.name);return n}var Rs=e=>Object.fromEntries(Object.entries(e).filter(([,t])=>typeof t=="string"&&t!=="")),js=new Set(["member-crashed","member-state"]);function fn(e,t){let n=t.get(e.session),r=String(e.team??e.list??n?.team??"")||void 0;return js.has(e.what)?{team:r,name:String(e.name??"")||void 0}:e.event==="command"||e.what==="member-ended"?{team:r,name:e.agent}:{team:r,name:ue(e.agent)??n?.name}}function he({team:e,name:t},n,r){let s=x(t,60)||x(n.slice(0,8))||"you";return r||!t||!e?s:`${s}@${x(e,60)}`}var gn=({event:e,agent:t,what:n})=>e!=="command"&&t!=="main"&&n!=="member-ended"&&ue(t)===void 0;function hn(e,t,n){let r=[];return e.forEach((s,i)=>{let o=Math.max(s.at,t),a=Math.min(e[i+1]?.at??n,n);if(a<=o)return;let c=r.at(-1);c?.state===s.state&&c.to===o?c.to=a:r.push({state:s.state,from:o,to:a})}),r.filter(({state:s})=>s!=="gone")}function xe(e,t,n,r){if(e.length<=r)return[...e];let s=(n-t)/r,i=[],o=0;for(let a=0;a<r;a++){let[c,u]=[t+a*s,t+(a+1)*s],l=new Map;for(;o<e.length&&(e[o]?.to??0)<=c;)o++;for(let w=o;w<e.length&&(e[w]?.from??n)<u;w++){let{state:z,from:we,to:Hn}=e[w];l.set(z,(l.get(z)??0)+Math.min(Hn,u)-Math.max(we,c))}let[m]=[...l].sort((w,z)=>z[1]-w[1])[0]??[],h=i.at(-1);h&&h.state===m&&h.to===c?h.to=u:m&&i.push({state:m,from:c,to:u})}return i}var Fs=new Map(Object.entries({working:"working",idle:"idle",waiting:"waiting",ended:"gone"}));function xn(e){return e.what==="state"?e.state==="failed"?Ws(e):Fs.get(String(e.state)):e.what==="member-state"?Us.get(String(e.state)):Js.get(e.what)}var Js=new Map(Object.entries({"session-start":"idle","teammate-idle":"idle","session-end":"gone","member-ended":"gone","member-crashed":"gone"})),Us=new Map(Object.entries({silent:"silent",gone:"gone","rate-limited":"limited"})),Bs=/rate_limit|overloaded|usage_limit/,Ws=({failure:e})=>Bs.test(String(e??""))?"limited":"failed",Ks=new Map(Object.entries({"session-start":"idle",stop:"idle","teammate-idle":"idle","notification-idle-prompt":"idle","permission-request":"waiting","session-end":"gone"})),yn=({type:e})=>Ks.get(e);function bn(e,t){let n=e.flatMap(r=>{let s=Math.max(Date.parse(r.at),t);if(r.what==="compact-end")return[{at:s,share:0}];let i=Number(r.share);return r.what==="context-level"&&Number.isFinite(i)?[{at:s,share:i}]:[]});return n.filter(({at:r},s)=>r>t||(n[s+1]?.at??Number.POSITIVE_INFINITY)>t)}var zs=512*1024;function wn(e,t,n){let r=new Map;for(let s of Ke(ut(e,t,n),zs).split(`
`)){let i=Gs(s);i&&r.set(i.id,{...r.get(i.id),...i})}return[...r.values()].filter(s=>typeof s.text=="string")}function Gs(e){try{return JSON.parse(e)}catch{return}}var Ha=12*1024*1024;var kn=(e,t,n)=>qs(dt(e,t,n)).flatMap(({message:r})=>r??[]);var Sn=E(He),qs=e=>(I(e,Sn)??$(e,Sn)??[]).map(t=>({entry:t,message:ln(t)}));function En({places:e,now:t},n,r,s){let i=o=>s?o:`${o}@${x(n,60)}`;return Vs(e,n).flatMap(o=>{let a=i(x(o,60)),c=[...wn(e,n,o),...kn(e,n,o)];return Ys(c).map(u=>mn(u,a,t)).map(u=>({...u,agent:i(u.agent)})).filter(u=>u.at>=r&&u.at<=t.getTime())})}function Vs(e,t){let n=X(lt(e,t)).flatMap(s=>Tn(s,".json")),r=X(mt(e,t)).flatMap(s=>Tn(s,".jsonl"));return[...new Set([...n,...r])].filter(s=>!v(s)).sort()}var Tn=(e,t)=>e.endsWith(t)?[e.slice(0,-t.length)]:[];function Ys(e){return[...new Map(e.map((n,r)=>[n.id||`no id ${r}`,n])).values()]}var Pn=2e4;function vn(e,t,n){let r=t===void 0?cn(e.places):[t],s=Hs(e,t,n),i=r.flatMap(u=>En(e,u,s.from,t!==void 0)),a=[...s.lines.flatMap(u=>Date.parse(u.at)<s.from?[]:un(u,u.who)??[]),...i].sort((u,l)=>u.at-l.at),c={...s,...Qs(s,a)};return{title:t??"this machine",from:c.from,to:c.to,zone:-e.now.getTimezoneOffset(),lanes:eo(e,c,a),entries:a.slice(-Pn),tasks:r.flatMap(u=>oo(e,u,t!==void 0)),leftOut:Math.max(0,a.length-Pn)}}function Hs({places:e,now:t},n,r){let s=Xt(e,r,t),i=Tt(e),o=pn(i,s),a=l=>n===void 0||l===n,c=n!==void 0,u=new Set(s.map(({session:l})=>l));return{team:n,from:r.getTime(),to:t.getTime(),lines:s.flatMap(l=>{let m=fn(l,o);return a(m.team)?{...l,who:he(m,l.session,c)}:[]}),records:i.flatMap(l=>{let m=o.get(l.session)??{};return a(m.team)?{...l,who:he(m,l.session,c)}:[]}),events:Qt(e,r).flatMap(l=>a(l.team)&&!(l.source==="claude_hook"&&u.has(l.session))?{...l,who:he({team:l.team,name:l.agent},l.session,c)}:[])}}var Xs=.02,Zs=6e4;function Qs({from:e,to:t,lines:n,records:r,events:s},i){let o=[...n,...s].map(({at:h})=>Date.parse(h)).concat(i.map(({at:h})=>h)),a=o.reduce((h,w)=>Math.min(h,w),t),c=o.reduce((h,w)=>Math.max(h,w),a),l=r.some(h=>!h.endedAt&&ve({pid:h.pid,startedAt:h.pidStartedAt})!=="gone")||o.length===0?t:c,m=Math.max(Zs,(l-a)*Xs);return{from:Math.max(e,a-m),to:Math.min(t,l+m)}}function eo(e,t,n){let r=_n(to(t),({agent:m})=>m),s=_n(t.lines,({who:m})=>m),i=t.team===void 0?void 0:me(e.places,t.team),o=(i?.members??[]).map(({name:m})=>x(m,60)),a=[...r].filter(([,m])=>m.some(({at:h,state:w})=>h>=t.from||w!=="gone")),c=t.team===void 0?[]:n.filter(({kind:m})=>m==="message"),u=new Set([...o,...a.map(([m])=>m),...c.map(({agent:m})=>m)]),l=ro(t,i?.members??[]);return[...u].map(m=>{let h=(r.get(m)??[]).sort((z,we)=>z.at-we.at),w=bn(s.get(m)??[],t.from);return{agent:m,role:m===V?"lead":l.get(m)??"",spans:hn(h,t.from,t.to),levels:[...w,...so(e,t,m,w)]}}).sort((m,h)=>+(h.role==="lead")-+(m.role==="lead"))}function _n(e,t){let n=new Map;for(let r of e){let s=n.get(t(r));s?s.push(r):n.set(t(r),[r])}return n}function to({lines:e,records:t,events:n,to:r}){let s=e.flatMap(o=>{let a=gn(o)?void 0:xn(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]}),i=n.flatMap(o=>{let a=yn(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]});return[...s,...i,...no(e,t,r)]}function no(e,t,n){let r=new Set(t.map(({session:o})=>o)),s=t.filter(o=>!o.endedAt&&!o.next).filter(o=>ve({pid:o.pid,startedAt:o.pidStartedAt})==="gone").map(o=>({at:Date.parse(o.lastSeen),agent:o.who,state:"gone"})),i=new Map;for(let o of e)o.event!=="command"&&o.session&&!r.has(o.session)&&i.set(o.session,{at:Math.min(n,Date.parse(o.at)+1),agent:o.who,state:"gone"});return[...s,...i.values()]}function ro({records:e},t){return new Map([...t.map(({name:n,agentType:r})=>[x(n,60),x(r,60)]),...e.flatMap(({who:n,role:r,isLead:s})=>s?[[n,"lead"]]:r?[[n,x(r,60)]]:[])])}function so(e,t,n,r){let s=t.records.findLast(({who:u,endedAt:l,next:m})=>u===n&&!l&&!m);if(!s?.transcript||Date.parse(s.lastSeen)<t.from)return[];let i={session_id:s.session,transcript_path:s.transcript},o={setting:e.loaded.values["context.window"],compactWindow:e.compactWindow},a=Vt(e.places,i,o)?.share,c=Math.max(Date.parse(s.lastSeen),r.at(-1)?.at??0);return a===void 0?[]:[{at:c,share:Math.floor(a)}]}function oo({places:e},t,n){let r=s=>n?`#${s}`:`${x(t,40)} #${s}`;return sn(e,t).map(({id:s,subject:i,status:o,owner:a,blockedBy:c})=>({id:r(s),subject:x(i),status:x(o,20),owner:x(a,60),blockedBy:c.map(u=>r(x(u,12)))}))}var io={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},f=e=>te(D(e)).replace(/[&<>"']/g,t=>io[t]??t),Mn=e=>JSON.stringify(e).replaceAll("<","\\u003c").replaceAll("\u2028","\\u2028").replaceAll("\u2029","\\u2029"),$n=e=>String(e).padStart(2,"0");function K(e,t){let n=new Date(e+t*6e4).toISOString();return{day:n.slice(0,10),time:n.slice(11,16)}}function An(e){if(e===0)return"UTC";let t=Math.abs(e);return`UTC${e<0?"\u2212":"+"}${$n(Math.floor(t/60))}:${$n(t%60)}`}function ye(e){let t=Math.round(e/1e3);if(t<60)return`${t} s`;let n=Math.round(t/60);if(n<60)return`${n} min`;let r=Math.floor(n/60),s=(i,o,a,c)=>a>0?`${i} ${o} ${a} ${c}`:`${i} ${o}`;return r<48?s(r,"h",n%60,"min"):s(Math.floor(r/24),"d",r%24,"h")}var A=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`;var Kn=require("node:crypto");var De=`(() => {
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
})();`;var be=12,ao=500,ne=(e,t,n)=>`<li><a href="#${e}"><b>${f(t)}</b><span>${f(n)}</span></a></li>`;function Ln(e){let{lanes:t,entries:n,tasks:r}=e,s=l=>n.filter(m=>m.kind===l),i=s("message"),o=i.filter(({tone:l})=>l==="queued"||l==="claimed").length,a=s("decision").filter(({tone:l})=>l==="deny").length,c=r.filter(({status:l})=>l==="completed").length,u=t.flatMap(({agent:l,levels:m})=>m.map(({share:h})=>({agent:l,share:h}))).reduce((l,m)=>m.share>l.share?m:l,{agent:"",share:0});return`<ul class="facts">${[ne("timeline",t.length,`${t.length===1?"agent":"agents"}, ${co(e)} of work`),ne("mail",i.length,`${i.length===1?"message":"messages"}, ${o} unread`),ne("tasks",`${c}/${r.length}`,"tasks completed"),ne("decisions",s("decision").length,`decisions, ${a} denied`),ne("timeline",u.share>0?`${u.share} %`:"\u2013",`fullest context ${u.agent}`.trim())].join("")}</ul>`}var co=({lanes:e})=>ye(e.flatMap(({spans:t})=>t).reduce((t,{state:n,from:r,to:s})=>n==="working"?t+s-r:t,0)),On={working:"working",idle:"idle",waiting:"waiting for somebody",limited:"rate limited",failed:"turn broke off",silent:"silent"};function In(e){let t=new Set(e.lanes.flatMap(({spans:o})=>o.map(({state:a})=>a))),n=Object.keys(On).filter(o=>t.has(o)),r=o=>`<svg width="14" height="12" aria-hidden="true">${o}</svg>`,s=o=>e.entries.some(a=>a.kind===o);return`<ul class="legend">${[...n.map(o=>[`<rect class="s-${o}" y="2" width="14" height="8" rx="2"/>`,On[o]]),...s("message")?[['<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>',"message"]]:[],...s("decision")?[['<circle class="d-deny" cx="7" cy="6" r="4"/>',"denied or asked"]]:[],...e.lanes.some(({levels:o})=>o.length>0)?[['<rect class="c-mid" y="5" width="14" height="3" rx="1"/>',"context filling"]]:[]].map(([o="",a=""])=>`<li>${r(o)}${a}</li>`).join("")}</ul>`}function Nn(e,t){let n=new Map;for(let r of e){let s=t(r),i=n.get(s.join(`
`))??{key:s,n:0};n.set(s.join(`
`),{...i,n:i.n+1})}return[...n.values()].sort((r,s)=>s.n-r.n)}var Ce=(e,t,n="number")=>`<table><thead><tr>${e.map((r,s)=>`<th${s===e.length-1?` class="${n}"`:""} scope="col">${r}</th>`).join("")}</tr></thead><tbody>${t.map(r=>`<tr>${r.map((s,i)=>`<td${i===r.length-1?` class="${n}"`:""}>${s}</td>`).join("")}</tr>`).join("")}</tbody></table>`,Dn=e=>e.length>be?`<p class="empty">and ${e.length-be} more</p>`:"";function Cn({entries:e,lanes:t}){let n=e.filter(({kind:o})=>o==="message");if(n.length===0)return'<p class="empty">Nobody has written.</p>';let r=Nn(n,({agent:o,to:a=""})=>[o,a]),s=new Set(r.flatMap(({key:o})=>o));if(s.size<=lo)return po(r,mo(s,t));let i=r.slice(0,be).map(({key:o,n:a})=>[...o.map(f),String(a)]);return Ce(["from","to","messages"],i)+Dn(r)}var lo=6,uo=4,mo=(e,t)=>[...new Set([...t.map(({agent:n})=>n).filter(n=>e.has(n)),...e])];function po(e,t){let n=Math.max(...e.map(({n:o})=>o)),r=(o,a)=>{let c=e.find(({key:l})=>l[0]===o&&l[1]===a)?.n;return`<td${c?` class="h${Math.ceil(uo*c/n)}"`:""}>${c??(o===a?"":"\xB7")}</td>`},s=t.map(o=>`<th scope="col">${f(o)}</th>`).join(""),i=t.map(o=>`<tr><th scope="row">${f(o)}</th>${t.map(a=>r(o,a)).join("")}</tr>`);return`<table class="square"><thead><tr><th scope="col"><small>from \u2193 to \u2192</small></th>${s}</tr></thead><tbody>${i.join("")}</tbody></table>`}function Rn({entries:e}){let t=Nn(e.filter(({kind:r})=>r==="decision"),({rule:r="",tone:s="",agent:i})=>[r,s,i]);if(t.length===0)return'<p class="empty">No rule had to speak.</p>';let n=t.slice(0,be).map(({key:[r="",s="",i=""],n:o})=>[f(r),f(i),`<span class="tone t-${f(s)}">${Y.get(s)??""}</span>`,String(o)]);return Ce(["rule","agent","","times"],n)+Dn(t)}function jn({tasks:e}){if(e.length===0)return'<p class="empty">No tasks on the list.</p>';let t=e.slice(-ao),n=new Set(e.flatMap(({id:o,status:a})=>a==="completed"?o:[])),r=o=>{let a=o.filter(c=>!n.has(c));return a.length>0?` <small>waits for ${f(a.join(", "))}</small>`:""},s=t.map(({id:o,subject:a,owner:c,status:u,blockedBy:l})=>[f(o),f(a)+r(l),f(c),`<span class="tone t-${f(u)}">${f(u.replace("_"," "))}</span>`]),i=e.length-t.length;return`${fo(e)}${Ce(["","task","owner","status"],s)}${i>0?`<p class="empty">and ${A(i,"older task")}</p>`:""}`}function fo(e){let t=s=>100*e.filter(i=>i.status===s).length/e.length,[n,r]=[t("completed"),t("in_progress")];return`<svg class="bar" role="img" aria-label="${Math.round(n)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(n+r).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${n.toFixed(2)}%" height="6" rx="3"/></svg>`}var Fn=["message","task","decision","context","state","note"];var Re=`
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
`;var Un=400,go=1500,ho=6,H=26,xo=46,yo=26,bo=16,Fe=e=>e>bo?yo:xo,wo={working:.52,waiting:.34,limited:.34,failed:.34,silent:.2,idle:.09,gone:0},So=({from:e,to:t,lanes:n})=>({from:e,to:t,lane:Fe(n.length)}),C=(e,{from:t,to:n})=>Je(100*(e-t)/Math.max(1,n-t)),Je=e=>Math.round(e*100)/100,je=(e,{lane:t})=>H+e*t+t/2;function Bn(e){let t=So(e),n=H+e.lanes.length*t.lane;return[`<svg id="picture" width="100%" height="${n}" role="img" aria-label="States of ${e.lanes.length} agents over time">`,Eo(e,t,n),...e.lanes.map((r,s)=>`<g class="lane">${Po(r,s,t)}${_o(r,s,t)}</g>`),`<g class="mail">${vo(e,t)}</g>`,`<g class="dots">${Ao(e,t)}</g>`,`<line id="cursor" x1="0" x2="0" y1="${H-6}" y2="${n}" visibility="hidden"/>`,"</svg>"].join("")}var ko=[1,2,5,10,15,30,60,120,180,360,720,1440,2880,10080,20160,43200],Jn=7;function To(e,t,n){let r=(t-e)/6e4,s=(ko.find(c=>r/c<=Jn)??86400)*6e4,i=n*6e4,o=Math.ceil((e+i)/s)*s-i,a=Math.max(0,Math.floor((t-o)/s)+1);return Array.from({length:Math.min(a,Jn+1)},(c,u)=>o+u*s)}function Eo(e,t,n){let r=e.to-e.from>1728e5;return`<g class="axis">${To(e.from,e.to,e.zone).map(i=>{let o=C(i,t),{day:a,time:c}=K(i,e.zone),u=o<4?"start":o>96?"end":"middle",l=r||c==="00:00"?a.slice(5):c;return`<line class="tick" x1="${o}%" x2="${o}%" y1="${H-6}" y2="${n}"/><text class="time" x="${o}%" y="13" text-anchor="${u}">${l}</text>`}).join("")}</g>`}function Po({agent:e,spans:t},n,r){return xe(t,r.from,r.to,Un).map(({state:s,from:i,to:o})=>{let a=C(i,r),c=Math.max(.15,Je(C(o,r)-a)),u=Math.max(2,Math.round(wo[s]*r.lane)),l=je(n,r)-u/2;return`<rect class="s-${s}" x="${a}%" y="${l}" width="${c}%" height="${u}" rx="2"><title>${f(e)}: ${s}</title></rect>`}).join("")}function _o({agent:e,levels:t},n,r){return t.slice(-Un).map(({at:s,share:i},o,a)=>{if(i<=0)return"";let c=C(s,r),u=C(Math.max(a[o+1]?.at??r.to,s),r),l=i>=90?"high":i>=75?"mid":"low",m=i>=90?4:i>=75?3:2,h=H+(n+1)*r.lane-4-m;return`<rect class="c-${l}" x="${c}%" y="${h}" width="${Je(Math.max(.3,u-c))}%" height="${m}" rx="1"><title>${f(e)}: context at ${i} %</title></rect>`}).join("")}function vo({lanes:e,entries:t},n){let r=new Map(e.map(({agent:i},o)=>[i,o])),s=t.flatMap(({kind:i,agent:o,to:a,at:c})=>{let[u,l]=[r.get(o),r.get(a??"")];return i==="message"&&u!==void 0&&l!==void 0&&u!==l?[{a:u,b:l,at:c}]:[]});return $o(s,n,go,({a:i,b:o})=>`${i} ${o}`).map(({a:i,b:o,at:a})=>{let c=C(a,n),[u,l]=[je(i,n),je(o,n)];return`<line x1="${c}%" x2="${c}%" y1="${u}" y2="${l}"/><circle cx="${c}%" cy="${l}" r="2.6"/>`}).join("")}function $o(e,{from:t,to:n},r,s){let i=new Set(e.map(s)).size,o=Math.max(1,Math.min(1e3,Math.floor(r/Math.max(1,i)))),a=new Map;for(let c of e)a.set(`${s(c)} ${Math.floor(o*(c.at-t)/Math.max(1,n-t))}`,c);return[...a.values()].slice(-r)}var Mo=["warn","ask","deny"];function Ao({lanes:e,entries:t},n){let r=new Map(e.map(({agent:o},a)=>[o,a])),s=new Map,i=({tone:o})=>Mo.indexOf(o??"");for(let o of t){if(o.kind!=="decision"||!r.has(o.agent))continue;let a=`${o.agent} ${Math.floor(10*C(o.at,n)/ho)}`,c=s.get(a);(!c||i(o)>=i(c))&&s.set(a,o)}return[...s.values()].map(o=>{let a=H+(r.get(o.agent)??0)*n.lane+8;return`<circle class="d-${f(o.tone??"")}" cx="${C(o.at,n)}%" cy="${a}" r="4"><title>${f(o.agent)}: ${f(o.head)}</title></circle>`}).join("")}var Ue="<!-- a report by swarm -->",Wn=e=>`'sha256-${(0,Kn.createHash)("sha256").update(e).digest("base64")}'`,Oo=`default-src 'none'; style-src ${Wn(Re)}; script-src ${Wn(De)}; base-uri 'none'; form-action 'none'`,Lo=400;function zn(e){return`<!doctype html>
${Ue}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${Oo}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${f(e.title)}: swarm report</title>
<style>${Re}</style>
</head>
<body>
<main>
${Io(e)}
${Ln(e)}
${No(e)}
<div class="pair">
<section id="mail"><h2>Who wrote to whom</h2>${Cn(e)}</section>
<section id="decisions"><h2>Which rules spoke</h2>${Rn(e)}</section>
</div>
<section id="tasks"><h2>Tasks</h2>${jn(e)}</section>
${Co(e)}
<footer>Keys: <kbd>/</kbd> search, <kbd>\u2191</kbd> <kbd>\u2193</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>\u2190</kbd> <kbd>\u2192</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${Mn(Ro(e))}</script>
<script>${De}</script>
</body>
</html>
`}function Io({title:e,from:t,to:n,zone:r}){let[s,i]=[K(t,r),K(n,r)],o=s.day===i.day?i.time:`${i.day} ${i.time}`;return`<header><p class="brand">swarm report</p><h1>${f(e)}</h1><p>${s.day} ${s.time} \u2013 ${o} ${An(r)}, ${ye(n-t)}</p></header>`}function No(e){let{lanes:t}=e;if(t.length===0)return'<section id="timeline"><h2>Timeline</h2><p class="empty">Nobody was seen in this time.</p></section>';let n=t.map(({agent:s,role:i,spans:o})=>`<li class="label"><b title="${f(s)}">${f(s)}</b><span class="now">${f(i||(o.at(-1)?.state??"away"))}</span></li>`),r=Fe(t.length)<40?" many":"";return`<section id="timeline"><h2>Timeline<small>${A(t.length,"agent")}</small></h2>
<div class="timeline${r}"><ul class="labels">${n.join("")}</ul>
<div id="scrub" tabindex="0" role="slider" aria-label="Moment" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="1000">${Bn(e)}</div></div>
<p id="moment"></p>${In(e)}</section>`}var Do={message:"Messages",task:"Tasks",decision:"Decisions",context:"Context",state:"States",note:"Notes"};function Co(e){let t=Fn.flatMap(i=>{let o=e.entries.filter(a=>a.kind===i).length;return o>0?`<button type="button" data-kind="${i}" aria-pressed="false">${Do[i]}<small>${o}</small></button>`:[]}),r=[...new Set(e.entries.flatMap(({agent:i,to:o})=>o?[i,o]:[i]))].sort().map(i=>`<option>${f(i)}</option>`);return`<section><h2 id="log-title">What happened${e.leftOut>0?`<small>${A(e.leftOut,"older entry","older entries")} not shown</small>`:""}</h2>
<div class="filters">${t.join("")}<select id="agent" aria-label="Agent"><option value="">Everybody</option>${r.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript><p class="empty">The log needs the script of this page.</p></noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`}var Ro=({from:e,to:t,zone:n,entries:r,lanes:s})=>({from:e,to:t,zone:n,tones:[...Y],entries:r,lanes:s.map(({spans:i})=>xe(i,e,t,Lo).map(o=>[o.state,o.from,o.to]))});var jo={m:6e4,h:36e5,d:864e5,w:6048e5};function Gn(e,t){let n=(e??"24h").match(/^(\d{1,5})\s*([mhdw])$/),r=n?t.getTime()-Number(n[1])*(jo[n[2]??""]??0):/^\d{4}-\d\d-\d\d/.test(e??"")?Date.parse(e??""):Number.NaN;if(Number.isNaN(r))throw M("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");if(r>=t.getTime())throw M("--since lies in the future");return new Date(r)}var Vn={team:{type:"string"},since:{type:"string"},out:{type:"string"},all:{type:"boolean"},"session-id":{type:"string"}};function Yn(e){let{flags:t,now:n}=e;if(t.all&&t.team)throw M("--all and --team exclude each other");let r=Jo(e),s=vn(e,r,Gn(t.since,n)),i=zn(s);if(t.out==="-")return{text:i};let o=(0,qn.resolve)(e.cwd,t.out??Fo(s)),a=ze(o,200)?.text;if(a!==void 0&&!a.includes(Ue))throw M(`${o} is there and is no report; --out names another file`);wt(o,i);let c={agents:s.lanes.length,entries:s.entries.length,tasks:s.tasks.length},l=`${`${A(c.agents,"agent")}, ${A(c.entries,"entry","entries")}, ${A(c.tasks,"task")}`}. Open it in a browser; it holds the messages' texts.`;return{text:`${o}
${l}`,data:{path:o,...c}}}function Fo({title:e,to:t,zone:n}){return`swarm-report-${v(e)?"machine":e.replaceAll(" ","-")}-${K(t,n).day}.html`}function Jo({flags:e,places:t,identity:n}){let r=e.all?void 0:e.team??n.team,s=r!==void 0&&!v(r)&&me(t,r)!==void 0;if(e.team!==void 0&&!s)throw M(`there is no team ${JSON.stringify(r)}; \`swarm list-teams\` shows those there are`);return s?r:void 0}Jt({usage:`swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h. --out - prints it.`,flags:Vn,run:Yn});
