var $path=require("node:path"),$fs=require("node:fs");var nr=$path;var qt=$path,Ht=require("node:util");var w=$fs,ir=16*1024*1024,He=w.constants.O_RDONLY|(w.constants.O_NONBLOCK??0);function Ve(e){try{return(0,w.readFileSync)(e,"utf8")}catch(t){if(E(t))return;throw t}}function F(e,t=ir){let n=ar(e);if(n){if(!n.isFile())throw new Error(`${e} is not a regular file`);if(n.size>t)throw new Error(`${e} has ${n.size} bytes, more than ${t}`);try{return(0,w.readFileSync)(e,{encoding:"utf8",flag:He})}catch(r){if(E(r))return;throw r}}}function q(e,t){let n=Ze(e);if(n!==void 0)try{let{size:r}=Qe(n,e),s=Math.max(0,r-t);return{text:et(n,s,r-s).toString("utf8"),size:r}}finally{(0,w.closeSync)(n)}}function Ye(e,t){let n=q(e,t)?.text??"";return n.length<t?(q(`${e}.1`,t)?.text??"")+n:n}function Xe(e,t){let n=Ze(e);if(n!==void 0)try{let{size:r}=Qe(n,e);return{text:et(n,0,Math.min(t,r)).toString("utf8"),size:r}}finally{(0,w.closeSync)(n)}}function ar(e){try{return(0,w.statSync)(e,{throwIfNoEntry:!1})}catch(t){if(v(t,"EACCES"))return;throw t}}function Ze(e){if((0,w.existsSync)(e))try{return(0,w.openSync)(e,He)}catch(t){if(E(t))return;throw t}}function Qe(e,t){let n=(0,w.fstatSync)(e);if(!n.isFile())throw new Error(`${t} is not a regular file`);return n}function et(e,t,n){let r=Buffer.allocUnsafe(n),s=0;for(;s<n;){let i=(0,w.readSync)(e,r,s,n-s,t+s);if(i===0)break;s+=i}return r.subarray(0,s)}var E=e=>v(e,"ENOENT")||v(e,"ENOTDIR"),v=(e,t)=>e?.code===t;var J=(e,t)=>new Error(`${e||"it"} must be ${t}`),tt=(e,t)=>ae(e,t,"string","text")??"";var d=(e,t)=>ae(e,t,"string","text"),oe=(e,t)=>ae(e,t,"boolean","true or false"),N=(e,t)=>ae(e,t,"number","a number"),nt=e=>e,h=(e,t)=>{if(typeof e!="string")throw J(t,"text");return e},rt=(e,t)=>{if(typeof e!="string"&&typeof e!="number")throw J(t,"text or a number");return e},U=(e,t)=>{if(typeof e!="number")throw J(t,"a number");return e},st=(e,t)=>{if(e==null)return{};if(typeof e!="object"||Array.isArray(e))throw J(t,"an object");return e};var P=e=>(t,n)=>{if(t==null)return[];if(!Array.isArray(t))throw J(n,"a list");return t.map((r,s)=>e(r,`${n}.${s}`))},_=e=>(t,n)=>t==null?void 0:e(t,n);var ie=e=>{let t;return(n,r)=>(t??=e(),t(n,r))},b=e=>{let t;return(n,r)=>{if(typeof n!="object"||n===null||Array.isArray(n))throw J(r,"an object");let s=n,i={...s};t??=Object.entries(e);for(let[o,a]of t){let c=a(s[o],r?`${r}.${o}`:o);c!==void 0?i[o]=c:o in s&&delete i[o]}return i}};function ae(e,t,n,r){if(e!=null){if(typeof e!==n)throw J(t,r);return e}}var ot=$fs;function Z(e){try{return(0,ot.readdirSync)(e)}catch(t){if(E(t))return[];throw t}}var I=$path;var ce=(e,t)=>e.length===1&&t.includes(e),cr="0123456789",dr="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",lr=e=>ce(e,cr),ur=e=>ce(e,dr),pr=e=>ur(e)||e==="_"||lr(e),it=e=>e!==""&&[...e].every(t=>ce(t,"0123456789abcdef"));var de=(e,t)=>e!==""&&[...e].every(n=>pr(n)||ce(n,t));var mr=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,fr=/[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,$e=100,at="fine";function $(e){if(e===at)return;let t=hr(e);return t===void 0&&(at=e),t}var gr=e=>e.length>4&&e.length<=$e&&!e.startsWith("-")&&de(e,"-");function hr(e){if(typeof e!="string"||e==="")return"is empty";if(!gr(e)){if(fr.test(e))return'contains a separator, a control character or one of : * ? " < > |';if(/^[.\-\s]/.test(e))return"starts with a dot, a dash or a space";if(/[.\s]$/.test(e))return"ends with a dot or a space";if(mr.test(e))return"is a reserved device name";if(Buffer.byteLength(e)>$e)return`is longer than ${$e} bytes`}}function k(e){let t=$(e);if(t)throw new Error(`the name ${JSON.stringify(String(e).slice(0,80))} ${t}`);return e}var ve={base:"",clean:""};function H({base:e},...t){ve.base!==e&&(ve={base:e,clean:(0,I.join)(e,"x").slice(0,-2)});let n=ve.clean;for(let r of t)n+=I.sep+r;return n}var W=(e,...t)=>H(e,"swarm",...t);var ct=e=>W(e,"settings.toml"),dt=e=>W(e,"sessions"),lt=(e,t)=>W(e,"sessions",`${k(t)}.json`);var ut=(e,t,n)=>W(e,"agents",k(t),`${k(n)}.json`);var pt=(e,t)=>W(e,"context",k(t),"status-line.json"),mt=(e,t,n)=>W(e,"context",k(t),"voices",`${k(n)}.json`);var ft=(e,t)=>W(e,"journal",`${t}.jsonl`);var le=e=>(0,I.join)(e.base,"teams"),Q=(e,t)=>H(e,"teams",k(t),"config.json"),gt=(e,t,n)=>H(e,"teams",k(t),"inboxes",`${k(n)}.json`),ht=(e,t)=>H(e,"teams",k(t),"inboxes");var xt=(e,t,n)=>H(e,"teams",k(t),"archive",`${k(n)}.jsonl`),yt=(e,t)=>H(e,"teams",k(t),"archive");var Ae=(e,t)=>(0,I.join)(e.base,"tasks",t.replace(/[^A-Za-z0-9_-]/g,"-")||k(t));function bt(e,t,n){if(!/^[1-9]\d{0,8}$/.test(n))throw new Error(`a task is named by its number, not by ${JSON.stringify(n)}`);return(0,I.join)(Ae(e,t),`${n}.json`)}var xr=(e,...t)=>(0,I.join)(e.atmHome,".claude","daemon",...t),wt=e=>xr(e,"hooks","events.jsonl");var Tt=$fs;var St=Symbol.for("swarm.shared");function ue(){let e=globalThis;return e[St]??={problems:[],ids:0,deadline:Number.POSITIVE_INFINITY},e[St]}var kt=e=>{ue().problems.push(e)};var B=e=>{Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)};var yr=3,br=50;function A(e,t){let n=Ve(e);if(n===void 0)return;let r=Et(n,t);if(r.ok)return r.value;wr(e,r.why)}function D(e,t){for(let n=1;;n++){let r=F(e);if(r===void 0)return;let s=Et(r,t);if(s.ok)return s.value;if(n===yr)return;B(br)}}function Et(e,t){try{let n=JSON.parse(e);return{ok:!0,value:typeof t=="function"?t(n,""):t.parse(n)}}catch(n){return{ok:!1,why:n.message.split(`
`)[0]??""}}}function wr(e,t){let n=`${e}.corrupt-${new Date().toISOString().replace(/[:.]/g,"-")}`;try{(0,Tt.renameSync)(e,n)}catch(r){if(E(r))return;throw r}kt(`${e} is damaged (${t}); moved to ${n}`)}var Sr=10,kr=15,Tr={win32:["EPERM","EACCES","EBUSY","ENOTEMPTY"]},Er=["EBUSY","ESTALE"],Pr=(e,t=process.platform)=>(Tr[t]??Er).some(n=>v(e,n));function Pt(e,t=process.platform){for(let n=1;;n++)try{return e()}catch(r){if(n===Sr||!Pr(r,t))throw r;B(kr)}}var T=$fs,Me=$path;var _r=0;function _t(e,t,n={}){let r=`${e}.tmp.${process.pid.toString(16)}-${(++_r).toString(16)}`;try{vr(r,t,n.durable===!0),Pt(()=>{n.beforeRename?.(),(0,T.renameSync)(r,e)})}catch(s){throw(0,T.rmSync)(r,{force:!0}),s}n.durable&&Ar((0,Me.dirname)(e))}function vr(e,t,n){let r=()=>(0,T.writeFileSync)(e,t,{encoding:"utf8",flag:"wx",mode:384,flush:n});try{r()}catch(s){if(!v(s,"ENOENT"))throw s;$r((0,Me.dirname)(e)),r()}}var $r=e=>{(0,T.mkdirSync)(e,{recursive:!0,mode:448})};function Ar(e){if(process.platform==="win32")return;let t=(0,T.openSync)(e,"r");try{(0,T.fsyncSync)(t)}finally{(0,T.closeSync)(t)}}var vt=b({__proto__:null,session:h,agentId:d,wrapper:d,parent:d,previous:d,next:d,kind:d,team:d,agent:d,isLead:oe,evidence:_(P(h)),role:d,mode:d,mission:d,model:d,client:d,pid:N,pidStartedAt:d,pane:d,tmux:d,cwd:d,project:d,transcript:d,source:d,state:h,status:h,tool:_(b({name:h,id:d,since:h,permission:d})),statusText:d,failure:d,lastWords:d,startedAt:h,turnStartedAt:d,lastSeen:h,endedAt:d,endReason:d});var Mr=(e,{session:t,agentId:n})=>n?ut(e,t,n):lt(e,t),$t=(e,t)=>A(Mr(e,t),vt);var At=e=>Or(dt(e));function Or(e,t=()=>!0){return Z(e).filter(n=>n.endsWith(".json")&&t(n.slice(0,-5))).flatMap(n=>A(`${e}/${n}`,vt)??[])}var K=$path;var pe=[],me={},Lr={"guard.enabled":!0,"guard.rules":me,"guard.protect":pe,"guard.unprotect":pe,"guard.allow_paths":pe,"guard.allow_commands":me},Nr={__proto__:null,"core.default_team":void 0,"core.identity":void 0,"core.welcome-message":void 0,"gate.orchestrators":["scrum-master"],"gate.max_teammates":16,"gate.max_spawns_per_hour":void 0,"gate.max_depth":void 0,"gate.premium_models":["opus"],"gate.max_premium":void 0,team:me,...Lr,"comms.tools":pe,"comms.contacts":void 0,"context.core":["Desktop/TODAY.md","Desktop/MEMORY.md","Desktop/SYSTEM-INDEX.md"],"context.roles_dir":void 0,"context.window":void 0,"context.warn":[60,80,90,95],"context.max_chars":6e3,"heartbeat.throttle_s":60,"heartbeat.stale_s":300,"mail.deliver":["start","prompt","tool","stop","push"],"mail.keep_read":50,"mail.retention_days":30,"teammates.keep_alive":!1,"tasks.enforce":!0,"tasks.verify":void 0,"tasks.verify_timeout_s":120,"tasks.hold_idle":!1,"effort.block_after":10,"effort.overflow_warn":90,"effort.precompact":"snapshot","scratchpad.enabled":"auto","scratchpad.sections":["What I did","Cross-agent observations","Unresolved"],"scratchpad.exclude":["coordinator","ego"],"scratchpad.exempt":["Explore","Plan"],"scratchpad.empty_is_missing":!1,"scratchpad.max_blocks":2,"display.pane_color":"team","gc.keep_days":30,features:me},fe=Nr;var Ir=256*1024,Dr=["default_team","identity"];function Mt(e,t,n){let r=[],s=ct(e),i=Ot(s,r),o=i?{path:s,text:i}:void 0,a=jr(t,n,r),c={projectFile:a?.path,personFile:s,problems:r};if(!o&&!a?.text)return{values:fe,sources:{},projectAsks:{},...c};let u=o?void 0:Rr(a?.text??"");if(u)return{values:{...fe,...u},sources:Cr(u),projectAsks:{},...c};let{combine:l}=require("../lazy/settings-files.cjs");return{...l(fe,o,a,r),...c}}var Cr=e=>Object.fromEntries(Object.keys(e).map(t=>[t,"project"]));function Rr(e){let[t,...n]=e.split(`
`);if(t!=="[core]")return;let r={};for(let s of n){if(s==="")continue;let i=Dr.find(c=>s.startsWith(`${c} = "`)),o=s.slice(s.indexOf('"')+1,-1);if(!(i!==void 0&&r[`core.${i}`]===void 0)||!s.endsWith('"')||!de(o,"-. "))return;r[`core.${i}`]=o}return r}function jr(e,t,n){let r=t!==void 0&&t!==e&&Fr(e,t)?t:e;for(let s=e;;s=(0,K.dirname)(s)){let i=(0,K.join)(s,".atm.toml"),o=Ot(i,n);if(o!==void 0)return{path:i,text:o};if(s===r||s===(0,K.dirname)(s))return}}function Fr(e,t){let n=(0,K.relative)(t,e);return n===""||!(n.startsWith("..")||n.startsWith("/")||/^[a-z]:/i.test(n))}function Ot(e,t){try{return F(e,Ir)}catch(n){return t.push(`${e}: ${n.message}`),""}}var ge=$fs;var Le=$fs;var ee=$fs,Lt;function Oe(){return Lt??=Jr(()=>{let e=(0,ee.readlinkSync)("/proc/self/ns/pid").replace(/\D/g,""),t=(0,ee.readFileSync)("/proc/sys/kernel/random/boot_id","utf8").slice(0,8),n=(0,ee.readFileSync)("/proc/sys/kernel/hostname","utf8").trim();return`${e}.${t}.${n}`}),Lt}function Nt(e){if(e===Oe())return;let[,t,...n]=e.split("."),[,r,...s]=Oe().split(".");return t!==r&&n.join(".")===s.join(".")?"gone":"unknown"}function Jr(e){try{return e()}catch{return""}}var It=$fs;function Dt(e,t=process.platform){if(t==="linux")return Ur(Br(e));if(t==="darwin")return Wr(Kr(e))}function Ur(e){let t=e?.slice(e.lastIndexOf(")")+2).split(" "),n=t?.[19];return n?{isZombie:t[0]==="Z",parent:Number(t[1]),startedAt:n}:void 0}function Wr(e){let t=e?.trim().match(/^(\S+)\s+(\d+)\s+(\S.*)$/);if(!t)return;let[,n="",r,s=""]=t;return{isZombie:n.startsWith("Z"),parent:Number(r),startedAt:s.replace(/\s+/g," ")}}function Br(e){try{return(0,It.readFileSync)(`/proc/${e}/stat`,"utf8")}catch(t){if(E(t)||v(t,"ESRCH"))return;throw t}}function Kr(e){let{spawnSync:t}=require("node:child_process"),n={encoding:"utf8",timeout:1e3,env:{LC_ALL:"C",TZ:"UTC"}},{status:r,stdout:s}=t("/bin/ps",["-o","state=,ppid=,lstart=","-p",String(e)],n);return r===0?s:void 0}var da=ie(()=>b({pid:U,startedAt:d,session:h,team:d,agent:d,pane:d,tmux:d}));function Ct(e){if(process.platform!=="linux")return[];try{return(0,Le.readFileSync)(`/proc/${e}/cmdline`,"utf8").split("\0").slice(0,-1)}catch{return[]}}function Ne({pid:e,startedAt:t}){if(!e)return"unknown";let[n,...r]=(t??"").split("@"),s=r.length>0?Nt(r.join("@")):void 0;if(s)return s;let i=Dt(e);return(i?i.isZombie:!zr(e))?"gone":!n||!i?"unknown":i.startedAt===n?"alive":"gone"}function zr(e){try{return process.kill(e,0),!0}catch(t){return v(t,"EPERM")}}var he=e=>e.startsWith("session-")&&e.length===16&&it(e.slice(8)),Gr=ie(()=>b({name:h,leadSessionId:d,leadProcess:_(b({pid:U,procStart:d})),members:P(b({name:h,agentId:d,agentType:d,model:d,tmuxPaneId:d,backendType:d,isActive:oe}))}));function qr(e){return Hr(e).flatMap(t=>D(Q(e,t),Gr)??[])}function Hr(e){let t=le(e);return(0,ge.existsSync)(t)?(0,ge.readdirSync)(t).filter(he):[]}function jt(e,t){let n=Ct(t.clientPid),r=Rt(n,"--agent-name"),s=Rt(n,"--team-name");if(r&&s&&he(s))return{team:s,agent:r,isLead:!1,kind:"pane",by:"process"};let i=qr(e),o=i.find(a=>a.leadSessionId===t.session||a.leadProcess?.pid===t.clientPid);return o?{team:o.name,agent:"team-lead",isLead:!0,kind:"lead",by:"lead"}:t.pane&&n.length===0?Vr(i,t.pane):void 0}function Vr(e,t){for(let{name:n,members:r}of e){let s=r.find(i=>i.backendType==="tmux"&&i.tmuxPaneId===t);if(s)return{team:n,agent:s.name,isLead:!1,kind:"pane",by:"pane"}}}function Rt(e,t){let n=e.indexOf(t);return n<0?void 0:e[n+1]}var V="team-lead",xe=e=>e.match(/^a(.+)-[0-9a-f]{16}$/)?.[1];function Ft(e){let{agent_id:t,agent_type:n,teammate_name:r,team_name:s}=e.payload,i=Xr(e);if(t)return Yr(t,n,s,i);if(!r)return i;let o=i.isLead&&i.agent!==r;return{kind:i.kind==="named"?"named":o?"in-process":"pane",team:s||i.team,agent:r,isLead:r===V,evidence:["payload teammate_name"]}}function Yr(e,t,n,r){let s=xe(e);return s&&s===t?{kind:"in-process",team:n||r.team,agent:s,isLead:!1,evidence:["payload agent_id"]}:{kind:"subagent",team:r.team,agent:t||e,isLead:!1,parent:r.agent,evidence:["payload agent_id",...r.evidence]}}function Xr(e){let t=ts(e.native),n=[["client command line",()=>t()?.by==="process"?t():void 0],["environment",()=>Qr(e.named)],["environment ATM_*",()=>({team:e.atm.team,agent:e.atm.identity})],["session record",e.record],["native team config",t],[".atm.toml",()=>es(e.settings())]];return Zr(n)}function Zr(e){let t={kind:"solo",team:void 0,agent:void 0,isLead:!1,evidence:[]};for(let[n,r]of e){let s=r();if(!(!s||s.team&&t.team&&s.team!==t.team||!(s.team&&!t.team||s.agent&&!t.agent))&&(t.evidence.push(n),t.team??=s.team,!t.agent&&s.agent&&(t.agent=s.agent,t.isLead=s.isLead??s.agent===V,t.kind=s.kind??"solo"),t.team&&t.agent))break}return t.kind==="solo"&&t.team&&t.agent&&(t.kind=t.isLead?"lead":"named"),t}function Qr({team:e,agent:t,agentId:n,agentType:r,leadId:s}){return{team:e,agent:t,isLead:t===V||r===V||n!==void 0&&n===s,kind:e&&t?"named":void 0}}var es=({team:e,identity:t})=>({team:e,agent:t});function ts(e){let t;return()=>(t??={value:e()},t.value)}var De=$path;var ns=e=>`${e.getUTCFullYear()}-${te(e.getUTCMonth()+1)}-${te(e.getUTCDate())}T${te(e.getUTCHours())}:${te(e.getUTCMinutes())}:${te(e.getUTCSeconds())}.${`${e.getUTCMilliseconds()}`.padStart(3,"0")}Z`,te=e=>e<10?`0${e}`:e;function Jt(){let e=new Date;return e.toISOString=()=>ns(e),e}var rs=()=>process.env;function Ut(e=rs()){return{__proto__:null,places:os(e),now:Jt(),projectDir:f(e.CLAUDE_PROJECT_DIR),clientPid:ss(e),insideClient:e.CLAUDECODE==="1"||Ie(e.CLAUDE_PID)!==void 0,clientVersion:as(e.AI_AGENT),entrypoint:f(e.CLAUDE_CODE_ENTRYPOINT),sessionId:f(e.CLAUDE_CODE_SESSION_ID),wrapperId:f(e.CLAUDE_SESSION_ID),role:f(e.CLAUDE_SESSION_ROLE),mode:cs(e.CLAUDE_SESSION_MODE),missionId:f(e.MISSION_EXECUTION_ID),projectPath:f(e.PROJECT_PATH),compactWindow:Ie(e.CLAUDE_CODE_AUTO_COMPACT_WINDOW),attended:ds(e),pane:f(e.TMUX_PANE),tmux:f(e.TMUX),envFile:f(e.CLAUDE_ENV_FILE),pluginRoot:f(e.CLAUDE_PLUGIN_ROOT),ownRoot:(0,De.join)(__dirname,"..",".."),env:e,teammateCommand:f(e.CLAUDE_CODE_TEAMMATE_COMMAND),clientProgram:f(e.CLAUDE_CODE_EXECPATH),multiplexer:f(e.SWARM_MULTIPLEXER)??f(e.CLAUDE_CODE_TEAMMATE_MODE),kitty:{socket:f(e.KITTY_LISTEN_ON),mode:f(e.SWARM_KITTY_MODE)},named:{team:f(e.CLAUDE_CODE_TEAM_NAME),agent:f(e.CLAUDE_CODE_AGENT_NAME),agentId:f(e.CLAUDE_CODE_AGENT_ID),agentType:f(e.CLAUDE_CODE_AGENT_TYPE),leadId:f(e.CLAUDE_CODE_TEAM_LEAD_ID)},clientFlags:{teams:f(e.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),taskTools:f(e.CLAUDE_CODE_ENABLE_TODO_TOOLS)},taskList:f(e.CLAUDE_CODE_TASK_LIST_ID),atm:{team:f(e.ATM_TEAM),identity:f(e.ATM_IDENTITY)},fleetId:f(e.AGENT_ID),keepAlive:e.SWARM_KEEP_ALIVE==="true",path:e.PATH??"",noColour:f(e.NO_COLOR)!==void 0,nodeVersion:process.versions.node,system:`${process.platform} ${process.arch}`,knowsModes:process.platform!=="win32",extraCertificates:f(e.NODE_EXTRA_CA_CERTS),disabled:new Set(e.SWARM_DISABLE?.split(/[\s,]+/).filter(Boolean)),entry:process.argv[2]}}var ss=e=>Ie(e.CLAUDE_PID)??process.ppid;function os(e){let t=f(e.HOME)??f(e.USERPROFILE)??is();return{home:t,base:f(e.CLAUDE_CONFIG_DIR)??(0,De.join)(t,".claude"),atmHome:f(e.ATM_HOME)??t,tmp:f(e.TMPDIR)??f(e.TEMP)??f(e.TMP)??"/tmp"}}function is(){let{homedir:e}=require("node:os");return e()}function Wt(e){try{return process.cwd()}catch(t){if(t.code!=="ENOENT")throw t;return e}}var f=e=>e===void 0||e.trim()===""?void 0:e;function as(e=""){let[t,n=""]=e.split("_"),r=n.split("-").slice(0,3).map(Number);return t==="claude-code"&&r.length===3&&r.every(Number.isInteger)?r.join("."):void 0}function Ie(e){let t=Number(e);return Number.isSafeInteger(t)&&t>1?t:void 0}function cs(e){return e==="mission"||e==="background"?e:"interactive"}function ds(e){let t=e.CLAUDE_CODE_SESSION_ATTENDED;return t==="1"?!0:t==="0"?!1:void 0}function Bt(e,t,n,r){let s=e.session_id??"";return Ft({payload:e,named:t.named,atm:t.atm,record:()=>n(),native:()=>jt(t.places,{session:s,clientPid:t.clientPid,pane:t.pane}),settings:()=>({team:r()["core.default_team"],identity:r()["core.identity"]})})}var M=$fs;var ls=64*1024*1024,us=64*1024,Kt=2,ps=1365;function zt(){let e=ue().stdin??ms();if(e.length>ls)throw new Error(`the input has ${e.length} characters, too many`);return e}function ms(){try{return(0,M.readFileSync)(0,"utf8")}catch(e){let{code:t}=e;if(t==="EOF"||t==="EBADF"||t==="ENXIO")return"";if(t!=="EAGAIN")throw e;return fs()}}function fs(){let e=[];for(let t=Buffer.alloc(us);;)try{let n=(0,M.readSync)(0,t);if(n===0)return Buffer.concat(e).toString("utf8");e.push(Buffer.from(t.subarray(0,n)))}catch(n){if(n.code!=="EAGAIN")throw n;B(Kt)}}function Ce(e,t){if(t.length<=ps&&Gt(()=>(0,M.writeFileSync)(e,t)))return;let n=Buffer.from(t,"utf8");for(let r=0;r<n.length;)r+=gs(e,n,r)}function gs(e,t,n){let r=t.length-n;return Gt(()=>{r=(0,M.writeSync)(e,t,n)})?r:0}function Gt(e){try{return e(),!0}catch(t){let{code:n}=t;if(n==="EPIPE"||n==="EBADF")return!0;if(n!=="EAGAIN")throw t;return B(Kt),!1}}var O=e=>Object.assign(new Error(e),{isCall:!0});function Vt(e){try{let{words:t,flags:n,help:r}=xs(e),s=r?{text:e.usage}:e.run(ys(t,n));if(!s)return;let i=n.json?JSON.stringify(s.data??{text:s.text},null,2):s.text;i&&Ce(1,`${i}
`),process.exitCode=s.exitCode??0}catch(t){hs(e.usage,t)}}function hs(e,t){let n=t instanceof Error?t.message:String(t),r=t?.isCall===!0;Ce(2,`swarm: ${n}
${r?`usage: ${e.split(`
`)[0]}
`:""}`),process.exitCode=r?2:1}function xs(e){let t={...e.flags,json:{type:"boolean"},help:{type:"boolean",short:"h"}};try{let{values:n,positionals:r}=(0,Ht.parseArgs)({args:process.argv.slice(2),options:t,allowPositionals:!0}),{help:s,...i}=n;return{words:r,flags:i,help:s===!0}}catch(n){throw O(n.message.split(". ")[0]??"bad call")}}function ys(e,t){let n=Ut(),s=t["session-id"]??n.sessionId,i=Wt(n.places.home),o=Mt(n.places,i,n.projectDir),a=()=>s?$t(n.places,{session:s}):void 0;return{...n,cwd:i,words:e,flags:t,session:s,loaded:o,get identity(){return Bt({session_id:s},ws(n,a()),a,()=>o.values)},stdin:zt,readInput:c=>bs((0,qt.resolve)(i,c))}}function bs(e){let t=F(e);if(t===void 0)throw O(`there is no file ${e}`);return t}var ws=(e,t)=>t?.team&&t.agent?{...e,named:{},atm:{}}:e;var Yt=(e,t)=>{let{members:n,...r}=st(e,t);return{...Xt(r),members:Array.isArray(n)?n.flatMap(Ss):[]}};function Ss(e){if(typeof e!="object"||e===null)return[];let{pid:t,...n}=e,r={...Xt(n),...typeof t=="number"?{pid:t}:{}};return r.name?[r]:[]}var Xt=e=>Object.fromEntries(Object.entries(e).filter(t=>typeof t[1]=="string"));function ye(e,t){let n=Q(e,t);return he(t)?D(n,Yt):A(n,Yt)}var be=$path;var ks=["input_tokens","cache_creation_input_tokens","cache_read_input_tokens"];function Zt(e,t=!1){let n=e.split(`
`);for(let r=n.length-1;r>=0;r--){let s=Es(n[r]??"");if(!s||s.isSidechain===!0&&!t)continue;if(s.subtype==="compact_boundary")return Qt(s.compactMetadata?.postTokens);let i=s.type==="assistant"?Ts(s.message?.usage):0;if(i>0)return i}}var Ts=e=>ks.reduce((t,n)=>t+(Qt(e?.[n])??0),0),Qt=e=>typeof e=="number"&&Number.isFinite(e)&&e>0?e:void 0;function Es(e){if(!(!e.startsWith("{")||!/"usage"|"compact_boundary"/.test(e)))try{return JSON.parse(e)}catch{return}}var en=[8*1024,64*1024,4*1024*1024],Qa=en[1];function tn(e){let{agent_transcript_path:t,agent_id:n,session_id:r,transcript_path:s}=e;return t||(!n||!s||$(n)||$(r)?s:(0,be.join)((0,be.dirname)(s),r,"subagents",`agent-${n}.jsonl`))}function nn(e){if(!e)return;let t=/[\\/]subagents[\\/]/.test(e);for(let n of en){let r=q(e,n),s=Zt(r?.text??"",t);if(s!==void 0||!r||r.size<=n)return s}}var Ps="main",_s=b({window:U,tokens:N,percent:N,model:d,at:h}),vs=(e,t)=>A(pt(e,t),_s);var $s=b({said:U,compactsAt:N,remindedAt:d,summedUpTo:d}),As=(e,t,n)=>A(mt(e,t,n),$s)??{said:0};function rn(e,t,n){let{session_id:r,agent_id:s=Ps}=t,i=r?nn(tn(t)):void 0;if(i===void 0)return;let o=Ms(e,{session:r,agent:s},n,i);return o?{tokens:i,window:o,share:100*i/o}:void 0}function Ms(e,t,{setting:n,compactWindow:r,isMeasured:s=!0},i){let o=[()=>s?vs(e,t.session)?.window:void 0,()=>n,()=>r,()=>s?As(e,t.session,t.agent).compactsAt:void 0];for(let a of o){let c=a();if(c&&c>=i)return c}}var sn=$fs;var dc=512*1024,Re=e=>e.toISOString().slice(0,10);var Os=864e5,Ls=400,on=96*1024*1024;function an(e,t,n){let r=[],s=on;for(let i=n.getTime(),o=0;o<Ls&&s>0;i-=Os,o++){let a=Re(new Date(i));if(a<Re(t))break;let{lines:c,bytes:u}=ln(ft(e,a),s);r.push(c.flatMap(Is)),s-=u}return r.reverse().flat().sort(cn)}var cn=(e,t)=>e.at<t.at?-1:e.at>t.at?1:0,dn=(e,t)=>ln(wt(e),on).lines.flatMap(Ds).filter(({at:n})=>Date.parse(n)>=t.getTime()).sort(cn);function ln(e,t){let n=[`${e}.1`,e].filter(s=>(0,sn.existsSync)(s)).map(s=>q(s,t)?.text??""),r=n.reduce((s,i)=>s+i.length,0);return{lines:n.flatMap(s=>s.split(`
`).flatMap(Ns)),bytes:r}}function Ns(e){if(e==="")return[];try{return[JSON.parse(e)]}catch{return[]}}var C=(e,t)=>typeof e[t]=="string"?e[t]:"",je=e=>typeof e=="object"&&e!==null&&!Array.isArray(e);function Is(e){if(!je(e)||Number.isNaN(Date.parse(C(e,"at"))))return[];let n=Object.fromEntries(["id","at","event","session","agent","feature","what"].map(r=>[r,C(e,r)]));return[{...e,...n}]}function Ds(e){if(!je(e))return[];let t=je(e.source)?C(e.source,"kind"):"";return[{type:C(e,"type"),agent:C(e,"agent"),team:C(e,"team"),session:C(e,"session_id"),at:C(e,"received_at"),source:t}]}var ne=$fs;var we=e=>e.replace(/[\u0000-\u001f\u007f-\u009f]+/g," ").trim();var pn=b({author:h,text:h,timestamp:h}),Cs=b({state:d,comments:_(P(pn)),lease:_(b({session:d,at:h})),createdBy:d,createdAt:d}),Rs=b({subject:h,description:tt,activeForm:d,owner:d,status:h,blocks:P(h),blockedBy:P(h),metadata:_(b({swarm:un(Cs)})),comments:_(P(un(pn)))});function un(e){return(t,n)=>{try{return _(e)(t,n)}catch{return}}}var js={blocked:"pending",in_review:"in_progress"},mn=e=>(t,n)=>{let{owner:r="",comments:s,...i}=Rs(t,n),o=we(r),a={...i,id:e,...o?{owner:o}:{}},c=js[a.status],u={...c?{state:a.status}:{},...s?{comments:s.filter(l=>l!==void 0)}:{}};return Object.keys(u).length>0?Js({...a,status:c??a.status},u):a},Fs=e=>e.metadata?.swarm??{},Js=(e,t)=>({...e,metadata:{...e.metadata,swarm:{...Fs(e),...t}}});var Us=(e,t,n)=>D(bt(e,t,n),mn(n)),fn=(e,t)=>Ws(Ae(e,t)).flatMap(n=>Us(e,t,n)??[]);function Ws(e){try{return(0,ne.readdirSync)(e).flatMap(n=>n.match(/^([1-9]\d{0,8})\.json$/)?.[1]??[]).sort((n,r)=>Number(n)-Number(r))}catch(t){if(E(t))return[];throw t}}var gn=$fs;var hn=_(rt),Bs=b({name:h,agentId:d,agentType:d,model:d,color:d,joinedAt:hn,cwd:d,sessionId:d,pid:N,pidStartedAt:d,paneId:d,backend:d,socket:d,log:d,permissionMode:d,status:d,lastSeen:d,prompt:d}),Lc=b({name:d,description:d,createdAt:hn,leadAgentId:d,leadSessionId:d,status:d,suspendedAt:d,resumedAt:d,members:P(Bs)});function xn(e){try{return(0,gn.readdirSync)(le(e),{withFileTypes:!0}).flatMap(n=>n.isDirectory()&&!$(n.name)?n.name:[])}catch(t){if(E(t))return[];throw t}}var R=e=>typeof e=="string"?e:JSON.stringify(e)??"";function bn(e){if(typeof e!="object"||e===null||Array.isArray(e))return;let t=e,n=t.text??t.content;if(typeof n=="string")return{...t,id:yn(t.id,t.msg_id,t.message_id),from:yn(t.from)||"unknown",text:n,timestamp:Ks(t.timestamp),read:t.read===!0}}var yn=(...e)=>e.find(t=>typeof t=="string"&&t!=="")??"";function Ks(e){if(typeof e=="string")return e;let t=typeof e=="number"?new Date(e):void 0;return t&&!Number.isNaN(t.getTime())?t.toISOString():""}function Fe(e,t){return e.state==="answered"||e.state==="dead"?e.state:e.read?"shown":zs(e,t)?"claimed":"queued"}function zs({claim:e},t){let n=Date.parse(e?.at??"");return Math.abs(t.getTime()-n)<3e4}var Gs=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,re=e=>qs(e).replace(/\r\n?/g,`
`).replace(Gs,"");var qs=e=>e.toWellFormed();var Hs=160,Je=4e3,Y=new Map([["deny","denied"],["ask","asked"],["warn","warned"]]),Vs=new Set(["mail-delivered","report","teammate-idle","member-ended"]),Ys=new Set(["state","session-start","session-end","member-state","member-crashed"]),Xs=new Set(["id","at","event","session","agent","feature","what"].concat(["team","name","kind","list","who"]));function wn(e,t){if(Vs.has(e.what))return;let n={at:Date.parse(e.at),agent:t};return Y.get(e.what)?{...n,...Zs(e)}:e.task!==void 0?{...n,...eo(e)}:e.what==="context-level"?{...n,kind:"context",head:`context at ${e.share} %`}:{...n,kind:Ys.has(e.what)?"state":"note",...to(e)}}function Zs(e){let t=y(e.rule,80)||e.feature,n=[e.tool,e.input].filter(Boolean).join(" "),r=[e.reason,n&&`Asked for: ${n}`,e.id&&`swarm explain ${e.id}`];return{kind:"decision",head:y(`${t}: ${Qs(R(e.reason??Y.get(e.what)))}`),text:Se(r.filter(Boolean).join(`

`)),tone:e.what,rule:t}}var Qs=e=>e.split(/(?<=[.!?])\s|\n/)[0]??"";function eo(e){let{what:t,owner:n,comment:r}=e,s=R(t).replace(/^task-/,"").replaceAll("-"," "),i=n?` (${n})`:"";return{kind:"task",head:y(`#${e.task} ${e.subject??""}: ${s}${i}`),text:r?Se(R(r)):void 0,tone:y(e.status,20)||void 0}}function to(e){let t=Object.entries(e).filter(([s,i])=>!Xs.has(s)&&s!==e.what&&i!==void 0&&i!=="").map(([s,i])=>`${s}: ${typeof i=="string"?i:JSON.stringify(i)}`),n=e.what==="state"?R(e.state??""):e.what.replaceAll("-"," "),r=y([n,...t].join(" \xB7 "));return{head:r,text:r.endsWith("\u2026")?Se(t.join(`
`)):void 0}}function Sn(e,t,n){let r=Se(e.text),s=y(e.summary??r.split(`
`).find(i=>i.trim()!=="")??"");return{at:Date.parse(e.timestamp),kind:"message",agent:y(e.from,80),to:t,head:s||"(empty)",text:r===s?void 0:r,tone:Fe(e,n)}}function y(e,t=Hs){let n=e==null?"":we(re(R(e)));return n.length>t?`${n.slice(0,t-1).trimEnd()}\u2026`:n}var Se=e=>{let t=re(e).trim();return t.length>Je?`${t.slice(0,Je)}
\u2026 (${t.length-Je} more characters)`:t};function kn(e,t){let n=new Map,r=(s,i,o)=>n.set(s,{...n.get(s),...no({team:i,name:o})});for(let{session:s,team:i,agent:o}of e)r(s,i,o);for(let s of t)s.agent==="main"&&(s.name||s.team)&&s.feature==="sessions"&&r(s.session,s.team,s.name);return n}var no=e=>Object.fromEntries(Object.entries(e).filter(([,t])=>typeof t=="string"&&t!=="")),ro=new Set(["member-crashed","member-state"]);function Tn(e,t){let n=t.get(e.session),r=String(e.team??e.list??n?.team??"")||void 0;return ro.has(e.what)?{team:r,name:String(e.name??"")||void 0}:e.event==="command"||e.what==="member-ended"?{team:r,name:e.agent}:{team:r,name:xe(e.agent)??n?.name}}function ke({team:e,name:t},n,r){let s=y(t,60)||y(n.slice(0,8))||"you";return r||!t||!e?s:`${s}@${y(e,60)}`}var En=({event:e,agent:t,what:n})=>e!=="command"&&t!=="main"&&n!=="member-ended"&&xe(t)===void 0;function Pn(e,t,n){let r=[];return e.forEach((s,i)=>{let o=Math.max(s.at,t),a=Math.min(e[i+1]?.at??n,n);if(a<=o)return;let c=r.at(-1);c?.state===s.state&&c.to===o?c.to=a:r.push({state:s.state,from:o,to:a})}),r.filter(({state:s})=>s!=="gone")}function Te(e,t,n,r){if(e.length<=r)return[...e];let s=(n-t)/r,i=[],o=0;for(let a=0;a<r;a++){let[c,u]=[t+a*s,t+(a+1)*s],l=new Map;for(;o<e.length&&(e[o]?.to??0)<=c;)o++;for(let S=o;S<e.length&&(e[S]?.from??n)<u;S++){let{state:G,from:_e,to:or}=e[S];l.set(G,(l.get(G)??0)+Math.min(or,u)-Math.max(_e,c))}let[m]=[...l].sort((S,G)=>G[1]-S[1])[0]??[],x=i.at(-1);x&&x.state===m&&x.to===c?x.to=u:m&&i.push({state:m,from:c,to:u})}return i}var so=new Map(Object.entries({working:"working",idle:"idle",waiting:"waiting",ended:"gone"}));function _n(e){return e.what==="state"?e.state==="failed"?co(e):so.get(String(e.state)):e.what==="member-state"?io.get(String(e.state)):oo.get(e.what)}var oo=new Map(Object.entries({"session-start":"idle","teammate-idle":"idle","session-end":"gone","member-ended":"gone","member-crashed":"gone"})),io=new Map(Object.entries({silent:"silent",gone:"gone","rate-limited":"limited"})),ao=/rate_limit|overloaded|usage_limit/,co=({failure:e})=>ao.test(String(e??""))?"limited":"failed",lo=new Map(Object.entries({"session-start":"idle",stop:"idle","teammate-idle":"idle","notification-idle-prompt":"idle","permission-request":"waiting","session-end":"gone"})),vn=({type:e})=>lo.get(e);function $n(e,t){let n=e.flatMap(r=>{let s=Math.max(Date.parse(r.at),t);if(r.what==="compact-end")return[{at:s,share:0}];let i=Number(r.share);return r.what==="context-level"&&Number.isFinite(i)?[{at:s,share:i}]:[]});return n.filter(({at:r},s)=>r>t||(n[s+1]?.at??Number.POSITIVE_INFINITY)>t)}var uo=512*1024;function An(e,t,n){let r=new Map;for(let s of Ye(xt(e,t,n),uo).split(`
`)){let i=po(s);i&&r.set(i.id,{...r.get(i.id),...i})}return[...r.values()].filter(s=>typeof s.text=="string")}function po(e){try{return JSON.parse(e)}catch{return}}var cd=12*1024*1024;var On=(e,t,n)=>mo(gt(e,t,n)).flatMap(({message:r})=>r??[]);var Mn=P(nt),mo=e=>(D(e,Mn)??A(e,Mn)??[]).map(t=>({entry:t,message:bn(t)}));function Nn({places:e,now:t},n,r,s){let i=o=>s?o:`${o}@${y(n,60)}`;return fo(e,n).flatMap(o=>{let a=i(y(o,60)),c=[...An(e,n,o),...On(e,n,o)];return go(c).map(u=>Sn(u,a,t)).map(u=>({...u,agent:i(u.agent)})).filter(u=>u.at>=r&&u.at<=t.getTime())})}function fo(e,t){let n=Z(ht(e,t)).flatMap(s=>Ln(s,".json")),r=Z(yt(e,t)).flatMap(s=>Ln(s,".jsonl"));return[...new Set([...n,...r])].filter(s=>!$(s)).sort()}var Ln=(e,t)=>e.endsWith(t)?[e.slice(0,-t.length)]:[];function go(e){return[...new Map(e.map((n,r)=>[n.id||`no id ${r}`,n])).values()]}var In=2e4;function Cn(e,t,n){let r=t===void 0?xn(e.places):[t],s=ho(e,t,n),i=r.flatMap(u=>Nn(e,u,s.from,t!==void 0)),a=[...s.lines.flatMap(u=>Date.parse(u.at)<s.from?[]:wn(u,u.who)??[]),...i].sort((u,l)=>u.at-l.at),c={...s,...bo(s,a)};return{title:t??"this machine",from:c.from,to:c.to,zone:-e.now.getTimezoneOffset(),lanes:wo(e,c,a),entries:a.slice(-In),tasks:r.flatMap(u=>Po(e,u,t!==void 0)),leftOut:Math.max(0,a.length-In)}}function ho({places:e,now:t},n,r){let s=an(e,r,t),i=At(e),o=kn(i,s),a=l=>n===void 0||l===n,c=n!==void 0,u=new Set(s.map(({session:l})=>l));return{team:n,from:r.getTime(),to:t.getTime(),lines:s.flatMap(l=>{let m=Tn(l,o);return a(m.team)?{...l,who:ke(m,l.session,c)}:[]}),records:i.flatMap(l=>{let m=o.get(l.session)??{};return a(m.team)?{...l,who:ke(m,l.session,c)}:[]}),events:dn(e,r).flatMap(l=>a(l.team)&&!(l.source==="claude_hook"&&u.has(l.session))?{...l,who:ke({team:l.team,name:l.agent},l.session,c)}:[])}}var xo=.02,yo=6e4;function bo({from:e,to:t,lines:n,records:r,events:s},i){let o=[...n,...s].map(({at:x})=>Date.parse(x)).concat(i.map(({at:x})=>x)),a=o.reduce((x,S)=>Math.min(x,S),t),c=o.reduce((x,S)=>Math.max(x,S),a),l=r.some(x=>!x.endedAt&&Ne({pid:x.pid,startedAt:x.pidStartedAt})!=="gone")||o.length===0?t:c,m=Math.max(yo,(l-a)*xo);return{from:Math.max(e,a-m),to:Math.min(t,l+m)}}function wo(e,t,n){let r=Dn(So(t),({agent:m})=>m),s=Dn(t.lines,({who:m})=>m),i=t.team===void 0?void 0:ye(e.places,t.team),o=(i?.members??[]).map(({name:m})=>y(m,60)),a=[...r].filter(([,m])=>m.some(({at:x,state:S})=>x>=t.from||S!=="gone")),c=t.team===void 0?[]:n.filter(({kind:m})=>m==="message"),u=new Set([...o,...a.map(([m])=>m),...c.map(({agent:m})=>m)]),l=To(t,i?.members??[]);return[...u].map(m=>{let x=(r.get(m)??[]).sort((G,_e)=>G.at-_e.at),S=$n(s.get(m)??[],t.from);return{agent:m,role:m===V?"lead":l.get(m)??"",spans:Pn(x,t.from,t.to),levels:[...S,...Eo(e,t,m,S)]}}).sort((m,x)=>+(x.role==="lead")-+(m.role==="lead"))}function Dn(e,t){let n=new Map;for(let r of e){let s=n.get(t(r));s?s.push(r):n.set(t(r),[r])}return n}function So({lines:e,records:t,events:n,to:r}){let s=e.flatMap(o=>{let a=En(o)?void 0:_n(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]}),i=n.flatMap(o=>{let a=vn(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]});return[...s,...i,...ko(e,t,r)]}function ko(e,t,n){let r=new Set(t.map(({session:o})=>o)),s=t.filter(o=>!o.endedAt&&!o.next).filter(o=>Ne({pid:o.pid,startedAt:o.pidStartedAt})==="gone").map(o=>({at:Date.parse(o.lastSeen),agent:o.who,state:"gone"})),i=new Map;for(let o of e)o.event!=="command"&&o.session&&!r.has(o.session)&&i.set(o.session,{at:Math.min(n,Date.parse(o.at)+1),agent:o.who,state:"gone"});return[...s,...i.values()]}function To({records:e},t){return new Map([...t.map(({name:n,agentType:r})=>[y(n,60),y(r,60)]),...e.flatMap(({who:n,role:r,isLead:s})=>s?[[n,"lead"]]:r?[[n,y(r,60)]]:[])])}function Eo(e,t,n,r){let s=t.records.findLast(({who:u,endedAt:l,next:m})=>u===n&&!l&&!m);if(!s?.transcript||Date.parse(s.lastSeen)<t.from)return[];let i={session_id:s.session,transcript_path:s.transcript},o={setting:e.loaded.values["context.window"],compactWindow:e.compactWindow},a=rn(e.places,i,o)?.share,c=Math.max(Date.parse(s.lastSeen),r.at(-1)?.at??0);return a===void 0?[]:[{at:c,share:Math.floor(a)}]}function Po({places:e},t,n){let r=s=>n?`#${s}`:`${y(t,40)} #${s}`;return fn(e,t).map(({id:s,subject:i,status:o,owner:a,blockedBy:c})=>({id:r(s),subject:y(i),status:y(o,20),owner:y(a,60),blockedBy:c.map(u=>r(y(u,12)))}))}var _o={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},g=e=>re(R(e)).replace(/[&<>"']/g,t=>_o[t]??t),jn=e=>JSON.stringify(e).replaceAll("<","\\u003c").replaceAll("\u2028","\\u2028").replaceAll("\u2029","\\u2029"),Rn=e=>String(e).padStart(2,"0");function z(e,t){let n=new Date(e+t*6e4).toISOString();return{day:n.slice(0,10),time:n.slice(11,16)}}function Fn(e){if(e===0)return"UTC";let t=Math.abs(e);return`UTC${e<0?"\u2212":"+"}${Rn(Math.floor(t/60))}:${Rn(t%60)}`}function Ee(e){let t=Math.round(e/1e3);if(t<60)return`${t} s`;let n=Math.round(t/60);if(n<60)return`${n} min`;let r=Math.floor(n/60),s=(i,o,a,c)=>a>0?`${i} ${o} ${a} ${c}`:`${i} ${o}`;return r<48?s(r,"h",n%60,"min"):s(Math.floor(r/24),"d",r%24,"h")}var L=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`;var Qn=require("node:crypto");var Ue=`(() => {
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
})();`;var Pe=12,vo=500,se=(e,t,n)=>`<li><a href="#${e}"><b>${g(t)}</b><span>${g(n)}</span></a></li>`;function Un(e){let{lanes:t,entries:n,tasks:r}=e,s=l=>n.filter(m=>m.kind===l),i=s("message"),o=i.filter(({tone:l})=>l==="queued"||l==="claimed").length,a=s("decision").filter(({tone:l})=>l==="deny").length,c=r.filter(({status:l})=>l==="completed").length,u=t.flatMap(({agent:l,levels:m})=>m.map(({share:x})=>({agent:l,share:x}))).reduce((l,m)=>m.share>l.share?m:l,{agent:"",share:0});return`<ul class="facts">${[se("timeline",t.length,`${t.length===1?"agent":"agents"}, ${$o(e)} of work`),se("mail",i.length,`${i.length===1?"message":"messages"}, ${o} unread`),se("tasks",`${c}/${r.length}`,"tasks completed"),se("decisions",s("decision").length,`decisions, ${a} denied`),se("timeline",u.share>0?`${u.share} %`:"\u2013",`fullest context ${u.agent}`.trim())].join("")}</ul>`}var $o=({lanes:e})=>Ee(e.flatMap(({spans:t})=>t).reduce((t,{state:n,from:r,to:s})=>n==="working"?t+s-r:t,0)),Jn={working:"working",idle:"idle",waiting:"waiting for somebody",limited:"rate limited",failed:"turn broke off",silent:"silent"};function Wn(e){let t=new Set(e.lanes.flatMap(({spans:o})=>o.map(({state:a})=>a))),n=Object.keys(Jn).filter(o=>t.has(o)),r=o=>`<svg width="14" height="12" aria-hidden="true">${o}</svg>`,s=o=>e.entries.some(a=>a.kind===o);return`<ul class="legend">${[...n.map(o=>[`<rect class="s-${o}" y="2" width="14" height="8" rx="2"/>`,Jn[o]]),...s("message")?[['<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>',"message"]]:[],...s("decision")?[['<circle class="d-deny" cx="7" cy="6" r="4"/>',"denied or asked"]]:[],...e.lanes.some(({levels:o})=>o.length>0)?[['<rect class="c-mid" y="5" width="14" height="3" rx="1"/>',"context filling"]]:[]].map(([o="",a=""])=>`<li>${r(o)}${a}</li>`).join("")}</ul>`}function Bn(e,t){let n=new Map;for(let r of e){let s=t(r),i=n.get(s.join(`
`))??{key:s,n:0};n.set(s.join(`
`),{...i,n:i.n+1})}return[...n.values()].sort((r,s)=>s.n-r.n)}var We=(e,t,n="number")=>`<table><thead><tr>${e.map((r,s)=>`<th${s===e.length-1?` class="${n}"`:""} scope="col">${r}</th>`).join("")}</tr></thead><tbody>${t.map(r=>`<tr>${r.map((s,i)=>`<td${i===r.length-1?` class="${n}"`:""}>${s}</td>`).join("")}</tr>`).join("")}</tbody></table>`,Kn=e=>e.length>Pe?`<p class="empty">and ${e.length-Pe} more</p>`:"";function zn({entries:e,lanes:t}){let n=e.filter(({kind:o})=>o==="message");if(n.length===0)return'<p class="empty">Nobody has written.</p>';let r=Bn(n,({agent:o,to:a=""})=>[o,a]),s=new Set(r.flatMap(({key:o})=>o));if(s.size<=Ao)return Lo(r,Oo(s,t));let i=r.slice(0,Pe).map(({key:o,n:a})=>[...o.map(g),String(a)]);return We(["from","to","messages"],i)+Kn(r)}var Ao=6,Mo=4,Oo=(e,t)=>[...new Set([...t.map(({agent:n})=>n).filter(n=>e.has(n)),...e])];function Lo(e,t){let n=Math.max(...e.map(({n:o})=>o)),r=(o,a)=>{let c=e.find(({key:l})=>l[0]===o&&l[1]===a)?.n;return`<td${c?` class="h${Math.ceil(Mo*c/n)}"`:""}>${c??(o===a?"":"\xB7")}</td>`},s=t.map(o=>`<th scope="col">${g(o)}</th>`).join(""),i=t.map(o=>`<tr><th scope="row">${g(o)}</th>${t.map(a=>r(o,a)).join("")}</tr>`);return`<table class="square"><thead><tr><th scope="col"><small>from \u2193 to \u2192</small></th>${s}</tr></thead><tbody>${i.join("")}</tbody></table>`}function Gn({entries:e}){let t=Bn(e.filter(({kind:r})=>r==="decision"),({rule:r="",tone:s="",agent:i})=>[r,s,i]);if(t.length===0)return'<p class="empty">No rule had to speak.</p>';let n=t.slice(0,Pe).map(({key:[r="",s="",i=""],n:o})=>[g(r),g(i),`<span class="tone t-${g(s)}">${Y.get(s)??""}</span>`,String(o)]);return We(["rule","agent","","times"],n)+Kn(t)}function qn({tasks:e}){if(e.length===0)return'<p class="empty">No tasks on the list.</p>';let t=e.slice(-vo),n=new Set(e.flatMap(({id:o,status:a})=>a==="completed"?o:[])),r=o=>{let a=o.filter(c=>!n.has(c));return a.length>0?` <small>waits for ${g(a.join(", "))}</small>`:""},s=t.map(({id:o,subject:a,owner:c,status:u,blockedBy:l})=>[g(o),g(a)+r(l),g(c),`<span class="tone t-${g(u)}">${g(u.replace("_"," "))}</span>`]),i=e.length-t.length;return`${No(e)}${We(["","task","owner","status"],s)}${i>0?`<p class="empty">and ${L(i,"older task")}</p>`:""}`}function No(e){let t=s=>100*e.filter(i=>i.status===s).length/e.length,[n,r]=[t("completed"),t("in_progress")];return`<svg class="bar" role="img" aria-label="${Math.round(n)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(n+r).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${n.toFixed(2)}%" height="6" rx="3"/></svg>`}var Hn=["message","task","decision","context","state","note"];var Be=`
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
`;var Yn=400,Io=1500,Do=6,X=26,Co=46,Ro=26,jo=16,ze=e=>e>jo?Ro:Co,Fo={working:.52,waiting:.34,limited:.34,failed:.34,silent:.2,idle:.09,gone:0},Jo=({from:e,to:t,lanes:n})=>({from:e,to:t,lane:ze(n.length)}),j=(e,{from:t,to:n})=>Ge(100*(e-t)/Math.max(1,n-t)),Ge=e=>Math.round(e*100)/100,Ke=(e,{lane:t})=>X+e*t+t/2;function Xn(e){let t=Jo(e),n=X+e.lanes.length*t.lane;return[`<svg id="picture" width="100%" height="${n}" role="img" aria-label="States of ${e.lanes.length} agents over time">`,Bo(e,t,n),...e.lanes.map((r,s)=>`<g class="lane">${Ko(r,s,t)}${zo(r,s,t)}</g>`),`<g class="mail">${Go(e,t)}</g>`,`<g class="dots">${Vo(e,t)}</g>`,`<line id="cursor" x1="0" x2="0" y1="${X-6}" y2="${n}" visibility="hidden"/>`,"</svg>"].join("")}var Uo=[1,2,5,10,15,30,60,120,180,360,720,1440,2880,10080,20160,43200],Vn=7;function Wo(e,t,n){let r=(t-e)/6e4,s=(Uo.find(c=>r/c<=Vn)??86400)*6e4,i=n*6e4,o=Math.ceil((e+i)/s)*s-i,a=Math.max(0,Math.floor((t-o)/s)+1);return Array.from({length:Math.min(a,Vn+1)},(c,u)=>o+u*s)}function Bo(e,t,n){let r=e.to-e.from>1728e5;return`<g class="axis">${Wo(e.from,e.to,e.zone).map(i=>{let o=j(i,t),{day:a,time:c}=z(i,e.zone),u=o<4?"start":o>96?"end":"middle",l=r||c==="00:00"?a.slice(5):c;return`<line class="tick" x1="${o}%" x2="${o}%" y1="${X-6}" y2="${n}"/><text class="time" x="${o}%" y="13" text-anchor="${u}">${l}</text>`}).join("")}</g>`}function Ko({agent:e,spans:t},n,r){return Te(t,r.from,r.to,Yn).map(({state:s,from:i,to:o})=>{let a=j(i,r),c=Math.max(.15,Ge(j(o,r)-a)),u=Math.max(2,Math.round(Fo[s]*r.lane)),l=Ke(n,r)-u/2;return`<rect class="s-${s}" x="${a}%" y="${l}" width="${c}%" height="${u}" rx="2"><title>${g(e)}: ${s}</title></rect>`}).join("")}function zo({agent:e,levels:t},n,r){return t.slice(-Yn).map(({at:s,share:i},o,a)=>{if(i<=0)return"";let c=j(s,r),u=j(Math.max(a[o+1]?.at??r.to,s),r),l=i>=90?"high":i>=75?"mid":"low",m=i>=90?4:i>=75?3:2,x=X+(n+1)*r.lane-4-m;return`<rect class="c-${l}" x="${c}%" y="${x}" width="${Ge(Math.max(.3,u-c))}%" height="${m}" rx="1"><title>${g(e)}: context at ${i} %</title></rect>`}).join("")}function Go({lanes:e,entries:t},n){let r=new Map(e.map(({agent:i},o)=>[i,o])),s=t.flatMap(({kind:i,agent:o,to:a,at:c})=>{let[u,l]=[r.get(o),r.get(a??"")];return i==="message"&&u!==void 0&&l!==void 0&&u!==l?[{a:u,b:l,at:c}]:[]});return qo(s,n,Io,({a:i,b:o})=>`${i} ${o}`).map(({a:i,b:o,at:a})=>{let c=j(a,n),[u,l]=[Ke(i,n),Ke(o,n)];return`<line x1="${c}%" x2="${c}%" y1="${u}" y2="${l}"/><circle cx="${c}%" cy="${l}" r="2.6"/>`}).join("")}function qo(e,{from:t,to:n},r,s){let i=new Set(e.map(s)).size,o=Math.max(1,Math.min(1e3,Math.floor(r/Math.max(1,i)))),a=new Map;for(let c of e)a.set(`${s(c)} ${Math.floor(o*(c.at-t)/Math.max(1,n-t))}`,c);return[...a.values()].slice(-r)}var Ho=["warn","ask","deny"];function Vo({lanes:e,entries:t},n){let r=new Map(e.map(({agent:o},a)=>[o,a])),s=new Map,i=({tone:o})=>Ho.indexOf(o??"");for(let o of t){if(o.kind!=="decision"||!r.has(o.agent))continue;let a=`${o.agent} ${Math.floor(10*j(o.at,n)/Do)}`,c=s.get(a);(!c||i(o)>=i(c))&&s.set(a,o)}return[...s.values()].map(o=>{let a=X+(r.get(o.agent)??0)*n.lane+8;return`<circle class="d-${g(o.tone??"")}" cx="${j(o.at,n)}%" cy="${a}" r="4"><title>${g(o.agent)}: ${g(o.head)}</title></circle>`}).join("")}var qe="<!-- a report by swarm -->",Zn=e=>`'sha256-${(0,Qn.createHash)("sha256").update(e).digest("base64")}'`,Yo=`default-src 'none'; style-src ${Zn(Be)}; script-src ${Zn(Ue)}; base-uri 'none'; form-action 'none'`,Xo=400;function er(e){return`<!doctype html>
${qe}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${Yo}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${g(e.title)}: swarm report</title>
<style>${Be}</style>
</head>
<body>
<main>
${Zo(e)}
${Un(e)}
${Qo(e)}
<div class="pair">
<section id="mail"><h2>Who wrote to whom</h2>${zn(e)}</section>
<section id="decisions"><h2>Which rules spoke</h2>${Gn(e)}</section>
</div>
<section id="tasks"><h2>Tasks</h2>${qn(e)}</section>
${ti(e)}
<footer>Keys: <kbd>/</kbd> search, <kbd>\u2191</kbd> <kbd>\u2193</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>\u2190</kbd> <kbd>\u2192</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${jn(ni(e))}</script>
<script>${Ue}</script>
</body>
</html>
`}function Zo({title:e,from:t,to:n,zone:r}){let[s,i]=[z(t,r),z(n,r)],o=s.day===i.day?i.time:`${i.day} ${i.time}`;return`<header><p class="brand">swarm report</p><h1>${g(e)}</h1><p>${s.day} ${s.time} \u2013 ${o} ${Fn(r)}, ${Ee(n-t)}</p></header>`}function Qo(e){let{lanes:t}=e;if(t.length===0)return'<section id="timeline"><h2>Timeline</h2><p class="empty">Nobody was seen in this time.</p></section>';let n=t.map(({agent:s,role:i,spans:o})=>`<li class="label"><b title="${g(s)}">${g(s)}</b><span class="now">${g(i||(o.at(-1)?.state??"away"))}</span></li>`),r=ze(t.length)<40?" many":"";return`<section id="timeline"><h2>Timeline<small>${L(t.length,"agent")}</small></h2>
<div class="timeline${r}"><ul class="labels">${n.join("")}</ul>
<div id="scrub" tabindex="0" role="slider" aria-label="Moment" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="1000">${Xn(e)}</div></div>
<p id="moment"></p>${Wn(e)}</section>`}var ei={message:"Messages",task:"Tasks",decision:"Decisions",context:"Context",state:"States",note:"Notes"};function ti(e){let t=Hn.flatMap(i=>{let o=e.entries.filter(a=>a.kind===i).length;return o>0?`<button type="button" data-kind="${i}" aria-pressed="false">${ei[i]}<small>${o}</small></button>`:[]}),r=[...new Set(e.entries.flatMap(({agent:i,to:o})=>o?[i,o]:[i]))].sort().map(i=>`<option>${g(i)}</option>`);return`<section><h2 id="log-title">What happened${e.leftOut>0?`<small>${L(e.leftOut,"older entry","older entries")} not shown</small>`:""}</h2>
<div class="filters">${t.join("")}<select id="agent" aria-label="Agent"><option value="">Everybody</option>${r.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript><p class="empty">The log needs the script of this page.</p></noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`}var ni=({from:e,to:t,zone:n,entries:r,lanes:s})=>({from:e,to:t,zone:n,tones:[...Y],entries:r,lanes:s.map(({spans:i})=>Te(i,e,t,Xo).map(o=>[o.state,o.from,o.to]))});var ri={m:6e4,h:36e5,d:864e5,w:6048e5};function tr(e,t){let n=(e??"24h").match(/^(\d{1,5})\s*([mhdw])$/),r=n?t.getTime()-Number(n[1])*(ri[n[2]??""]??0):/^\d{4}-\d\d-\d\d/.test(e??"")?Date.parse(e??""):Number.NaN;if(Number.isNaN(r))throw O("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");if(r>=t.getTime())throw O("--since lies in the future");return new Date(r)}var rr={team:{type:"string"},since:{type:"string"},out:{type:"string"},all:{type:"boolean"},"session-id":{type:"string"}};function sr(e){let{flags:t,now:n}=e;if(t.all&&t.team)throw O("--all and --team exclude each other");let r=oi(e),s=Cn(e,r,tr(t.since,n)),i=er(s);if(t.out==="-")return{text:i};let o=(0,nr.resolve)(e.cwd,t.out??si(s)),a=Xe(o,200)?.text;if(a!==void 0&&!a.includes(qe))throw O(`${o} is there and is no report; --out names another file`);_t(o,i);let c={agents:s.lanes.length,entries:s.entries.length,tasks:s.tasks.length},l=`${`${L(c.agents,"agent")}, ${L(c.entries,"entry","entries")}, ${L(c.tasks,"task")}`}. Open it in a browser; it holds the messages' texts.`;return{text:`${o}
${l}`,data:{path:o,...c}}}function si({title:e,to:t,zone:n}){return`swarm-report-${$(e)?"machine":e.replaceAll(" ","-")}-${z(t,n).day}.html`}function oi({flags:e,places:t,identity:n}){let r=e.all?void 0:e.team??n.team,s=r!==void 0&&!$(r)&&ye(t,r)!==void 0;if(e.team!==void 0&&!s)throw O(`there is no team ${JSON.stringify(r)}; \`swarm list-teams\` shows those there are`);return s?r:void 0}Vt({usage:`swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h. --out - prints it.`,flags:rr,run:sr});
