var $path=require("node:path"),$fs=require("node:fs");var sr=$path;var Vt=$path,Yt=require("node:util");var w=$fs,cr=16*1024*1024,qe=w.constants.O_RDONLY|(w.constants.O_NONBLOCK??0);function He(e){try{return(0,w.readFileSync)(e,"utf8")}catch(t){if(k(t))return;throw t}}function F(e,t=cr){let n=dr(e);if(n){if(!n.isFile())throw new Error(`${e} is not a regular file`);if(n.size>t)throw new Error(`${e} has ${n.size} bytes, more than ${t}`);try{return(0,w.readFileSync)(e,{encoding:"utf8",flag:qe})}catch(r){if(k(r))return;throw r}}}function q(e,t){let n=Xe(e);if(n!==void 0)try{let{size:r}=Ze(n,e),s=Math.max(0,r-t);return{text:Qe(n,s,r-s).toString("utf8"),size:r}}finally{(0,w.closeSync)(n)}}function Ve(e,t){let n=q(e,t)?.text??"";return n.length<t?(q(`${e}.1`,t)?.text??"")+n:n}function Ye(e,t){let n=Xe(e);if(n!==void 0)try{let{size:r}=Ze(n,e);return{text:Qe(n,0,Math.min(t,r)).toString("utf8"),size:r}}finally{(0,w.closeSync)(n)}}function dr(e){try{return(0,w.statSync)(e,{throwIfNoEntry:!1})}catch(t){if(k(t)||_(t,"EACCES"))return;throw t}}function Xe(e){if((0,w.existsSync)(e))try{return(0,w.openSync)(e,qe)}catch(t){if(k(t))return;throw t}}function Ze(e,t){let n=(0,w.fstatSync)(e);if(!n.isFile())throw new Error(`${t} is not a regular file`);return n}function Qe(e,t,n){let r=Buffer.allocUnsafe(n),s=0;for(;s<n;){let i=(0,w.readSync)(e,r,s,n-s,t+s);if(i===0)break;s+=i}return r.subarray(0,s)}var k=e=>_(e,"ENOENT")||_(e,"ENOTDIR")||_(e,"ERR_INVALID_ARG_VALUE"),_=(e,t)=>e?.code===t;var U=(e,t)=>new Error(`${e||"it"} must be ${t}`),et=(e,t)=>ae(e,t,"string","text")??"";var d=(e,t)=>ae(e,t,"string","text"),oe=(e,t)=>ae(e,t,"boolean","true or false"),I=(e,t)=>ae(e,t,"number","a number"),tt=e=>e,h=(e,t)=>{if(typeof e!="string")throw U(t,"text");return e},nt=(e,t)=>{if(typeof e!="string"&&typeof e!="number")throw U(t,"text or a number");return e},J=(e,t)=>{if(typeof e!="number")throw U(t,"a number");return e},rt=(e,t)=>{if(e==null)return{};if(typeof e!="object"||Array.isArray(e))throw U(t,"an object");return e};var P=e=>(t,n)=>{if(t==null)return[];if(!Array.isArray(t))throw U(n,"a list");return t.map((r,s)=>e(r,`${n}.${s}`))},v=e=>(t,n)=>t==null?void 0:e(t,n);var ie=e=>{let t;return(n,r)=>(t??=e(),t(n,r))},b=e=>{let t;return(n,r)=>{if(typeof n!="object"||n===null||Array.isArray(n))throw U(r,"an object");let s=n,i={...s};t??=Object.entries(e);for(let[o,a]of t){let c=a(s[o],r?`${r}.${o}`:o);c!==void 0?i[o]=c:o in s&&delete i[o]}return i}};function ae(e,t,n,r){if(e!=null){if(typeof e!==n)throw U(t,r);return e}}var st=$fs;function Z(e){try{return(0,st.readdirSync)(e)}catch(t){if(k(t))return[];throw t}}var M=$path;var ce=(e,t)=>e.length===1&&t.includes(e),lr="0123456789",ur="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",pr=e=>ce(e,lr),mr=e=>ce(e,ur),fr=e=>mr(e)||e==="_"||pr(e),ot=e=>e!==""&&[...e].every(t=>ce(t,"0123456789abcdef"));var de=(e,t)=>e!==""&&[...e].every(n=>fr(n)||ce(n,t));var gr=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,hr=/[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,Pe=100,it="fine";function A(e){if(e===it)return;let t=yr(e);return t===void 0&&(it=e),t}var xr=e=>e.length>4&&e.length<=Pe&&!e.startsWith("-")&&de(e,"-");function yr(e){if(typeof e!="string"||e==="")return"is empty";if(!xr(e)){if(hr.test(e))return'contains a separator, a control character or one of : * ? " < > |';if(/^[.\-\s]/.test(e))return"starts with a dot, a dash or a space";if(/[.\s]$/.test(e))return"ends with a dot or a space";if(gr.test(e))return"is a reserved device name";if(Buffer.byteLength(e)>Pe)return`is longer than ${Pe} bytes`}}function T(e){let t=A(e);if(t)throw new Error(`the name ${JSON.stringify(String(e).slice(0,80))} ${t}`);return e}var _e={base:"",clean:""};function H({base:e},...t){_e.base!==e&&(_e={base:e,clean:(0,M.resolve)(e,"x").slice(0,-2)});let n=_e.clean;for(let r of t)n+=M.sep+r;return n}var W=(e,...t)=>H(e,"swarm",...t);var at=e=>W(e,"settings.toml"),ct=e=>W(e,"sessions"),dt=(e,t)=>W(e,"sessions",`${T(t)}.json`);var lt=(e,t,n)=>W(e,"agents",T(t),`${T(n)}.json`);var ut=(e,t)=>W(e,"context",T(t),"status-line.json"),pt=(e,t,n)=>W(e,"context",T(t),"voices",`${T(n)}.json`);var mt=(e,t)=>W(e,"journal",`${t}.jsonl`);var le=e=>(0,M.join)(e.base,"teams"),Q=(e,t)=>H(e,"teams",T(t),"config.json"),ft=(e,t,n)=>H(e,"teams",T(t),"inboxes",`${T(n)}.json`),gt=(e,t)=>H(e,"teams",T(t),"inboxes");var ht=(e,t,n)=>H(e,"teams",T(t),"archive",`${T(n)}.jsonl`),xt=(e,t)=>H(e,"teams",T(t),"archive");var ve=(e,t)=>(0,M.join)(e.base,"tasks",t.replace(/[^A-Za-z0-9_-]/g,"-")||T(t));function yt(e,t,n){if(!/^[1-9]\d{0,8}$/.test(n))throw new Error(`a task is named by its number, not by ${JSON.stringify(n)}`);return(0,M.join)(ve(e,t),`${n}.json`)}var br=(e,...t)=>(0,M.join)(e.atmHome,".claude","daemon",...t),bt=e=>br(e,"hooks","events.jsonl");var kt=$fs;var wt=Symbol.for("swarm.shared");function ue(){let e=globalThis;return e[wt]??={problems:[],ids:0,deadline:Number.POSITIVE_INFINITY},e[wt]}var St=e=>{ue().problems.push(e)};var B=e=>{Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)};var wr=3,Sr=50;function $(e,t){let n=He(e);if(n===void 0)return;let r=Tt(n,t);if(r.ok)return r.value;kr(e,r.why)}function D(e,t){for(let n=1;;n++){let r=F(e);if(r===void 0)return;let s=Tt(r,t);if(s.ok)return s.value;if(n===wr)return;B(Sr)}}function Tt(e,t){try{let n=JSON.parse(e);return{ok:!0,value:typeof t=="function"?t(n,""):t.parse(n)}}catch(n){return{ok:!1,why:n.message.split(`
`)[0]??""}}}function kr(e,t){let n=`${e}.corrupt-${new Date().toISOString().replace(/[:.]/g,"-")}`;try{(0,kt.renameSync)(e,n)}catch(r){if(k(r))return;throw r}St(`${e} is damaged (${t}); moved to ${n}`)}var Tr=10,Er=15,_r={win32:["EPERM","EACCES","EBUSY","ENOTEMPTY"]},Pr=["EBUSY","ESTALE"],vr=(e,t=process.platform)=>(_r[t]??Pr).some(n=>_(e,n));function Et(e,t=process.platform){for(let n=1;;n++)try{return e()}catch(r){if(n===Tr||!vr(r,t))throw r;B(Er)}}var E=$fs,Ae=$path;var Ar=0;function _t(e,t,n={}){let r=`${e}.tmp.${process.pid.toString(16)}-${(++Ar).toString(16)}`;try{$r(r,t,n.durable===!0),Et(()=>{n.beforeRename?.(),(0,E.renameSync)(r,e)})}catch(s){throw(0,E.rmSync)(r,{force:!0}),s}n.durable&&Lr((0,Ae.dirname)(e))}function $r(e,t,n){let r=()=>(0,E.writeFileSync)(e,t,{encoding:"utf8",flag:"wx",mode:384,flush:n});try{r()}catch(s){if(!_(s,"ENOENT"))throw s;Mr((0,Ae.dirname)(e)),r()}}var Mr=e=>{(0,E.mkdirSync)(e,{recursive:!0,mode:448})};function Lr(e){if(process.platform==="win32")return;let t=(0,E.openSync)(e,"r");try{(0,E.fsyncSync)(t)}finally{(0,E.closeSync)(t)}}var Pt=b({__proto__:null,session:h,agentId:d,wrapper:d,parent:d,previous:d,next:d,kind:d,team:d,agent:d,isLead:oe,evidence:v(P(h)),role:d,mode:d,mission:d,model:d,client:d,pid:I,pidStartedAt:d,pane:d,tmux:d,cwd:d,project:d,transcript:d,source:d,state:h,status:h,tool:v(b({name:h,id:d,since:h,permission:d})),statusText:d,failure:d,lastWords:d,startedAt:h,turnStartedAt:d,lastSeen:h,endedAt:d,endReason:d});var Or=(e,{session:t,agentId:n})=>n?lt(e,t,n):dt(e,t),vt=(e,t)=>$(Or(e,t),Pt);var At=e=>Nr(ct(e));function Nr(e,t=()=>!0){return Z(e).filter(n=>n.endsWith(".json")&&t(n.slice(0,-5))).flatMap(n=>$(`${e}/${n}`,Pt)??[])}var K=$path;var $e=[],$t={},Mt={"guard.enabled":!0,"guard.rules":$t,"guard.protect":$e,"guard.unprotect":$e,"guard.allow_paths":$e,"guard.allow_commands":$t};var Ir=[],Lt={},Dr={__proto__:null,"core.default_team":void 0,"core.identity":void 0,"core.welcome-message":void 0,"gate.orchestrators":["scrum-master"],"gate.max_teammates":16,"gate.max_spawns_per_hour":void 0,"gate.max_depth":void 0,"gate.premium_models":["opus"],"gate.max_premium":void 0,team:Lt,...Mt,"comms.tools":Ir,"comms.contacts":void 0,"context.core":["Desktop/TODAY.md","Desktop/MEMORY.md","Desktop/SYSTEM-INDEX.md"],"context.roles_dir":void 0,"context.window":void 0,"context.warn":[60,80,90,95],"context.max_chars":6e3,"heartbeat.throttle_s":60,"heartbeat.stale_s":300,"mail.deliver":["start","prompt","tool","stop","push"],"mail.keep_read":50,"mail.retention_days":30,"teammates.keep_alive":!1,"tasks.enforce":!0,"tasks.verify":void 0,"tasks.verify_timeout_s":120,"tasks.hold_idle":!1,"effort.block_after":10,"effort.overflow_warn":90,"effort.precompact":"snapshot","scratchpad.enabled":"auto","scratchpad.sections":["What I did","Cross-agent observations","Unresolved"],"scratchpad.exclude":["coordinator","ego"],"scratchpad.exempt":["Explore","Plan"],"scratchpad.empty_is_missing":!1,"scratchpad.max_blocks":2,"display.pane_color":"team","gc.keep_days":30,features:Lt},pe=Dr;var Cr=256*1024,Rr=["default_team","identity"];function Ot(e,t,n){let r=[],s=at(e),i=Nt(s,r),o=i?{path:s,text:i}:void 0,a=Ur(t,n,r),c={projectFile:a?.path,personFile:s,problems:r};if(!o&&!a?.text)return{values:pe,sources:{},projectAsks:{},...c};let u=o?void 0:Fr(a?.text??"");if(u)return{values:{...pe,...u},sources:jr(u),projectAsks:{},...c};let{combine:l}=require("../lazy/settings-files.cjs");return{...l(pe,o,a,r),...c}}var jr=e=>Object.fromEntries(Object.keys(e).map(t=>[t,"project"]));function Fr(e){let[t,...n]=e.split(`
`);if(t!=="[core]")return;let r={};for(let s of n){if(s==="")continue;let i=Rr.find(c=>s.startsWith(`${c} = "`)),o=s.slice(s.indexOf('"')+1,-1);if(!(i!==void 0&&r[`core.${i}`]===void 0)||!s.endsWith('"')||!de(o,"-. "))return;r[`core.${i}`]=o}return r}function Ur(e,t,n){let r=t!==void 0&&t!==e&&Jr(e,t)?t:e;for(let s=e;;s=(0,K.dirname)(s)){let i=(0,K.resolve)(s,".atm.toml"),o=Nt(i,n);if(o!==void 0)return{path:i,text:o};if(s===r||s===(0,K.dirname)(s))return}}function Jr(e,t){let n=(0,K.relative)(t,e);return n===""||!(n.startsWith("..")||n.startsWith("/")||/^[a-z]:/i.test(n))}function Nt(e,t){try{return F(e,Cr)}catch(n){return t.push(`${e}: ${n.message}`),""}}var me=$fs;var Le=$fs;var ee=$fs,It;function Me(){return It??=Wr(()=>{let e=(0,ee.readlinkSync)("/proc/self/ns/pid").replace(/\D/g,""),t=(0,ee.readFileSync)("/proc/sys/kernel/random/boot_id","utf8").slice(0,8),n=(0,ee.readFileSync)("/proc/sys/kernel/hostname","utf8").trim();return`${e}.${t}.${n}`}),It}function Dt(e){if(e===Me())return;let[,t,...n]=e.split("."),[,r,...s]=Me().split(".");return t!==r&&n.join(".")===s.join(".")?"gone":"unknown"}function Wr(e){try{return e()}catch{return""}}var Ct=$fs;function Rt(e,t=process.platform){if(t==="linux")return Br(zr(e));if(t==="darwin")return Kr(Gr(e))}function Br(e){let t=e?.slice(e.lastIndexOf(")")+2).split(" "),n=t?.[19];return n?{isZombie:t[0]==="Z",parent:Number(t[1]),startedAt:n}:void 0}function Kr(e){let t=e?.trim().match(/^(\S+)\s+(\d+)\s+(\S.*)$/);if(!t)return;let[,n="",r,s=""]=t;return{isZombie:n.startsWith("Z"),parent:Number(r),startedAt:s.replace(/\s+/g," ")}}function zr(e){try{return(0,Ct.readFileSync)(`/proc/${e}/stat`,"utf8")}catch(t){if(k(t)||_(t,"ESRCH"))return;throw t}}function Gr(e){let{spawnSync:t}=require("node:child_process"),n={encoding:"utf8",timeout:1e3,env:{LC_ALL:"C",TZ:"UTC"}},{status:r,stdout:s}=t("/bin/ps",["-o","state=,ppid=,lstart=","-p",String(e)],n);return r===0?s:void 0}var fa=ie(()=>b({pid:J,startedAt:d,session:h,team:d,agent:d,pane:d,tmux:d}));function jt(e){if(process.platform!=="linux")return[];try{return(0,Le.readFileSync)(`/proc/${e}/cmdline`,"utf8").split("\0").slice(0,-1)}catch{return[]}}function Oe({pid:e,startedAt:t}){if(!e)return"unknown";let[n,...r]=(t??"").split("@"),s=r.length>0?Dt(r.join("@")):void 0;if(s)return s;let i=Rt(e);return(i?i.isZombie:!qr(e))?"gone":!n||!i?"unknown":i.startedAt===n?"alive":"gone"}function qr(e){try{return process.kill(e,0),!0}catch(t){return _(t,"EPERM")}}var fe=e=>e.startsWith("session-")&&e.length===16&&ot(e.slice(8)),Hr=ie(()=>b({name:h,leadSessionId:d,leadProcess:v(b({pid:J,procStart:d})),members:P(b({name:h,agentId:d,agentType:d,model:d,tmuxPaneId:d,backendType:d,isActive:oe}))}));function Vr(e){return Yr(e).flatMap(t=>D(Q(e,t),Hr)??[])}function Yr(e){let t=le(e);return(0,me.existsSync)(t)?(0,me.readdirSync)(t).filter(fe):[]}function Ut(e,t){let n=jt(t.clientPid),r=Ft(n,"--agent-name"),s=Ft(n,"--team-name");if(r&&s&&fe(s))return{team:s,agent:r,isLead:!1,kind:"pane",by:"process"};let i=Vr(e),o=i.find(a=>a.leadSessionId===t.session||a.leadProcess?.pid===t.clientPid);return o?{team:o.name,agent:"team-lead",isLead:!0,kind:"lead",by:"lead"}:t.pane&&n.length===0?Xr(i,t.pane):void 0}function Xr(e,t){for(let{name:n,members:r}of e){let s=r.find(i=>i.backendType==="tmux"&&i.tmuxPaneId===t);if(s)return{team:n,agent:s.name,isLead:!1,kind:"pane",by:"pane"}}}function Ft(e,t){let n=e.indexOf(t);return n<0?void 0:e[n+1]}var V="team-lead",ge=e=>e.match(/^a(.+)-[0-9a-f]{16}$/)?.[1];function Jt(e){let{agent_id:t,agent_type:n,teammate_name:r,team_name:s}=e.payload,i=Qr(e);if(t)return Zr(t,n,s,i);if(!r)return i;let o=i.isLead&&i.agent!==r;return{kind:i.kind==="named"?"named":o?"in-process":"pane",team:s||i.team,agent:r,isLead:r===V,evidence:["payload teammate_name"]}}function Zr(e,t,n,r){let s=ge(e);return s&&s===t?{kind:"in-process",team:n||r.team,agent:s,isLead:!1,evidence:["payload agent_id"]}:{kind:"subagent",team:r.team,agent:t||e,isLead:!1,parent:r.agent,evidence:["payload agent_id",...r.evidence]}}function Qr(e){let t=rs(e.native),n=[["client command line",()=>t()?.by==="process"?t():void 0],["environment",()=>ts(e.named)],["environment ATM_*",()=>({team:e.atm.team,agent:e.atm.identity})],["session record",e.record],["native team config",t],[".atm.toml",()=>ns(e.settings())]];return es(n)}function es(e){let t={kind:"solo",team:void 0,agent:void 0,isLead:!1,evidence:[]};for(let[n,r]of e){let s=r();if(!(!s||s.team&&t.team&&s.team!==t.team||!(s.team&&!t.team||s.agent&&!t.agent))&&(t.evidence.push(n),t.team??=s.team,!t.agent&&s.agent&&(t.agent=s.agent,t.isLead=s.isLead??s.agent===V,t.kind=s.kind??"solo"),t.team&&t.agent))break}return t.kind==="solo"&&t.team&&t.agent&&(t.kind=t.isLead?"lead":"named"),t}function ts({team:e,agent:t,agentId:n,agentType:r,leadId:s}){return{team:e,agent:t,isLead:t===V||r===V||n!==void 0&&n===s,kind:e&&t?"named":void 0}}var ns=({team:e,identity:t})=>({team:e,agent:t});function rs(e){let t;return()=>(t??={value:e()},t.value)}var Ie=$path;var ss=e=>`${e.getUTCFullYear()}-${te(e.getUTCMonth()+1)}-${te(e.getUTCDate())}T${te(e.getUTCHours())}:${te(e.getUTCMinutes())}:${te(e.getUTCSeconds())}.${`${e.getUTCMilliseconds()}`.padStart(3,"0")}Z`,te=e=>e<10?`0${e}`:e;function Wt(){let e=new Date;return e.toISOString=()=>ss(e),e}var os=()=>process.env;function Bt(e=os()){return{__proto__:null,places:as(e),now:Wt(),projectDir:f(e.CLAUDE_PROJECT_DIR),clientPid:is(e),insideClient:e.CLAUDECODE==="1"||Ne(e.CLAUDE_PID)!==void 0,clientVersion:ds(e.AI_AGENT),entrypoint:f(e.CLAUDE_CODE_ENTRYPOINT),sessionId:f(e.CLAUDE_CODE_SESSION_ID),wrapperId:f(e.CLAUDE_SESSION_ID),role:f(e.CLAUDE_SESSION_ROLE),mode:ls(e.CLAUDE_SESSION_MODE),missionId:f(e.MISSION_EXECUTION_ID),projectPath:f(e.PROJECT_PATH),compactWindow:Ne(e.CLAUDE_CODE_AUTO_COMPACT_WINDOW),attended:us(e),pane:f(e.TMUX_PANE),tmux:f(e.TMUX),envFile:f(e.CLAUDE_ENV_FILE),pluginRoot:f(e.CLAUDE_PLUGIN_ROOT),ownRoot:(0,Ie.resolve)(__dirname,"..",".."),env:e,teammateCommand:f(e.CLAUDE_CODE_TEAMMATE_COMMAND),clientProgram:f(e.CLAUDE_CODE_EXECPATH),multiplexer:f(e.SWARM_MULTIPLEXER)??f(e.CLAUDE_CODE_TEAMMATE_MODE),kitty:{socket:f(e.KITTY_LISTEN_ON),mode:f(e.SWARM_KITTY_MODE)},named:{team:f(e.CLAUDE_CODE_TEAM_NAME),agent:f(e.CLAUDE_CODE_AGENT_NAME),agentId:f(e.CLAUDE_CODE_AGENT_ID),agentType:f(e.CLAUDE_CODE_AGENT_TYPE),leadId:f(e.CLAUDE_CODE_TEAM_LEAD_ID)},clientFlags:{teams:f(e.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),taskTools:f(e.CLAUDE_CODE_ENABLE_TODO_TOOLS)},taskList:f(e.CLAUDE_CODE_TASK_LIST_ID),atm:{team:f(e.ATM_TEAM),identity:f(e.ATM_IDENTITY)},fleetId:f(e.AGENT_ID),keepAlive:e.SWARM_KEEP_ALIVE==="true",path:e.PATH??"",noColour:f(e.NO_COLOR)!==void 0,nodeVersion:process.versions.node,system:`${process.platform} ${process.arch}`,knowsModes:process.platform!=="win32",extraCertificates:f(e.NODE_EXTRA_CA_CERTS),disabled:new Set(e.SWARM_DISABLE?.split(/[\s,]+/).filter(Boolean)),entry:process.argv[2]}}var is=e=>Ne(e.CLAUDE_PID)??process.ppid;function as(e){let t=f(e.HOME)??f(e.USERPROFILE)??cs();return{home:t,base:f(e.CLAUDE_CONFIG_DIR)??(0,Ie.resolve)(t,".claude"),atmHome:f(e.ATM_HOME)??t,tmp:f(e.TMPDIR)??f(e.TEMP)??f(e.TMP)??"/tmp"}}function cs(){let{homedir:e}=require("node:os");return e()}function Kt(e){try{return process.cwd()}catch(t){if(t.code!=="ENOENT")throw t;return e}}var f=e=>e===void 0||e.trim()===""?void 0:e;function ds(e=""){let[t,n=""]=e.split("_"),r=n.split("-").slice(0,3).map(Number);return t==="claude-code"&&r.length===3&&r.every(Number.isInteger)?r.join("."):void 0}function Ne(e){let t=Number(e);return Number.isSafeInteger(t)&&t>1?t:void 0}function ls(e){return e==="mission"||e==="background"?e:"interactive"}function us(e){let t=e.CLAUDE_CODE_SESSION_ATTENDED;return t==="1"?!0:t==="0"?!1:void 0}function zt(e,t,n,r){let s=e.session_id??"";return Jt({payload:e,named:t.named,atm:t.atm,record:()=>n(),native:()=>Ut(t.places,{session:s,clientPid:t.clientPid,pane:t.pane}),settings:()=>({team:r()["core.default_team"],identity:r()["core.identity"]})})}var L=$fs;var ps=64*1024*1024,ms=64*1024,Gt=2,fs=1365;function qt(){let e=ue().stdin??gs();if(e.length>ps)throw new Error(`the input has ${e.length} characters, too many`);return e}function gs(){try{return(0,L.readFileSync)(0,"utf8")}catch(e){let{code:t}=e;if(t==="EOF"||t==="EBADF"||t==="ENXIO")return"";if(t!=="EAGAIN")throw e;return hs()}}function hs(){let e=[];for(let t=Buffer.alloc(ms);;)try{let n=(0,L.readSync)(0,t);if(n===0)return Buffer.concat(e).toString("utf8");e.push(Buffer.from(t.subarray(0,n)))}catch(n){if(n.code!=="EAGAIN")throw n;B(Gt)}}function De(e,t){if(t.length<=fs&&Ht(()=>(0,L.writeFileSync)(e,t)))return;let n=Buffer.from(t,"utf8");for(let r=0;r<n.length;)r+=xs(e,n,r)}function xs(e,t,n){let r=t.length-n;return Ht(()=>{r=(0,L.writeSync)(e,t,n)})?r:0}function Ht(e){try{return e(),!0}catch(t){let{code:n}=t;if(n==="EPIPE"||n==="EBADF")return!0;if(n!=="EAGAIN")throw t;return B(Gt),!1}}var O=e=>Object.assign(new Error(e),{isCall:!0});function Xt(e){try{let{words:t,flags:n,help:r}=bs(e),s=r?{text:e.usage}:e.run(ws(t,n));if(!s)return;let i=n.json?JSON.stringify(s.data??{text:s.text},null,2):s.text;i&&De(1,`${i}
`),process.exitCode=s.exitCode??0}catch(t){ys(e.usage,t)}}function ys(e,t){let n=t instanceof Error?t.message:String(t),r=t?.isCall===!0;De(2,`swarm: ${n}
${r?`usage: ${e.split(`
`)[0]}
`:""}`),process.exitCode=r?2:1}function bs(e){let t={...e.flags,json:{type:"boolean"},help:{type:"boolean",short:"h"}};try{let{values:n,positionals:r}=(0,Yt.parseArgs)({args:process.argv.slice(2),options:t,allowPositionals:!0}),{help:s,...i}=n;return{words:r,flags:i,help:s===!0}}catch(n){throw O(n.message.split(". ")[0]??"bad call")}}function ws(e,t){let n=Bt(),s=t["session-id"]??n.sessionId,i=Kt(n.places.home),o=Ot(n.places,i,n.projectDir),a=()=>s?vt(n.places,{session:s}):void 0;return{...n,cwd:i,words:e,flags:t,session:s,loaded:o,get identity(){return zt({session_id:s},ks(n,a()),a,()=>o.values)},stdin:qt,readInput:c=>Ss((0,Vt.resolve)(i,c))}}function Ss(e){let t=F(e);if(t===void 0)throw O(`there is no file ${e}`);return t}var ks=(e,t)=>t?.team&&t.agent?{...e,named:{},atm:{}}:e;var Zt=(e,t)=>{let{members:n,...r}=rt(e,t);return{...Qt(r),members:Array.isArray(n)?n.flatMap(Ts):[]}};function Ts(e){if(typeof e!="object"||e===null)return[];let{pid:t,...n}=e,r={...Qt(n),...typeof t=="number"?{pid:t}:{}};return r.name?[r]:[]}var Qt=e=>Object.fromEntries(Object.entries(e).filter(t=>typeof t[1]=="string"));function he(e,t){let n=Q(e,t);return fe(t)?D(n,Zt):$(n,Zt)}var xe=$path;var Es=["input_tokens","cache_creation_input_tokens","cache_read_input_tokens"];function en(e,t=!1){let n=e.split(`
`);for(let r=n.length-1;r>=0;r--){let s=Ps(n[r]??"");if(!s||s.isSidechain===!0&&!t)continue;if(s.subtype==="compact_boundary")return tn(s.compactMetadata?.postTokens);let i=s.type==="assistant"?_s(s.message?.usage):0;if(i>0)return i}}var _s=e=>Es.reduce((t,n)=>t+(tn(e?.[n])??0),0),tn=e=>typeof e=="number"&&Number.isFinite(e)&&e>0?e:void 0;function Ps(e){if(!(!e.startsWith("{")||!/"usage"|"compact_boundary"/.test(e)))try{return JSON.parse(e)}catch{return}}var nn=[8*1024,64*1024,4*1024*1024],sc=nn[1];function rn(e){let{agent_transcript_path:t,agent_id:n,session_id:r,transcript_path:s}=e;return t||(!n||!s||A(n)||A(r)?s:(0,xe.join)((0,xe.dirname)(s),r,"subagents",`agent-${n}.jsonl`))}function sn(e){if(!e)return;let t=/[\\/]subagents[\\/]/.test(e);for(let n of nn){let r=q(e,n),s=en(r?.text??"",t);if(s!==void 0||!r||r.size<=n)return s}}var vs="main",As=b({window:J,tokens:I,percent:I,model:d,at:h}),$s=(e,t)=>$(ut(e,t),As);var Ms=b({said:J,compactsAt:I,remindedAt:d,summedUpTo:d}),Ls=(e,t,n)=>$(pt(e,t,n),Ms)??{said:0};function on(e,t,n){let{session_id:r,agent_id:s=vs}=t,i=r?sn(rn(t)):void 0;if(i===void 0)return;let o=Os(e,{session:r,agent:s},n,i);return o?{tokens:i,window:o,share:100*i/o}:void 0}function Os(e,t,{setting:n,compactWindow:r,isMeasured:s=!0},i){let o=[()=>s?$s(e,t.session)?.window:void 0,()=>n,()=>r,()=>s?Ls(e,t.session,t.agent).compactsAt:void 0];for(let a of o){let c=a();if(c&&c>=i)return c}}var an=$fs;var fc=512*1024,Ce=e=>e.toISOString().slice(0,10);var Ns=864e5,Is=400,cn=96*1024*1024;function dn(e,t,n){let r=[],s=cn;for(let i=n.getTime(),o=0;o<Is&&s>0;i-=Ns,o++){let a=Ce(new Date(i));if(a<Ce(t))break;let{lines:c,bytes:u}=pn(mt(e,a),s);r.push(c.flatMap(Cs)),s-=u}return r.reverse().flat().sort(ln)}var ln=(e,t)=>e.at<t.at?-1:e.at>t.at?1:0,un=(e,t)=>pn(bt(e),cn).lines.flatMap(Rs).filter(({at:n})=>Date.parse(n)>=t.getTime()).sort(ln);function pn(e,t){let n=[`${e}.1`,e].filter(s=>(0,an.existsSync)(s)).map(s=>q(s,t)?.text??""),r=n.reduce((s,i)=>s+i.length,0);return{lines:n.flatMap(s=>s.split(`
`).flatMap(Ds)),bytes:r}}function Ds(e){if(e==="")return[];try{return[JSON.parse(e)]}catch{return[]}}var C=(e,t)=>typeof e[t]=="string"?e[t]:"",Re=e=>typeof e=="object"&&e!==null&&!Array.isArray(e);function Cs(e){if(!Re(e)||Number.isNaN(Date.parse(C(e,"at"))))return[];let n=Object.fromEntries(["id","at","event","session","agent","feature","what"].map(r=>[r,C(e,r)]));return[{...e,...n}]}function Rs(e){if(!Re(e))return[];let t=Re(e.source)?C(e.source,"kind"):"";return[{type:C(e,"type"),agent:C(e,"agent"),team:C(e,"team"),session:C(e,"session_id"),at:C(e,"received_at"),source:t}]}var ne=$fs;var ye=e=>e.replace(/[\u0000-\u001f\u007f-\u009f]+/g," ").trim();var fn=b({author:h,text:h,timestamp:h}),js=b({state:d,comments:v(P(fn)),lease:v(b({session:d,at:h})),createdBy:d,createdAt:d}),Fs=b({subject:h,description:et,activeForm:d,owner:d,status:h,blocks:P(h),blockedBy:P(h),metadata:v(b({swarm:mn(js)})),comments:v(P(mn(fn)))});function mn(e){return(t,n)=>{try{return v(e)(t,n)}catch{return}}}var Us={blocked:"pending",in_review:"in_progress"},gn=e=>(t,n)=>{let{owner:r="",comments:s,...i}=Fs(t,n),o=ye(r),a={...i,id:e,...o?{owner:o}:{}},c=Us[a.status],u={...c?{state:a.status}:{},...s?{comments:s.filter(l=>l!==void 0)}:{}};return Object.keys(u).length>0?Ws({...a,status:c??a.status},u):a},Js=e=>e.metadata?.swarm??{},Ws=(e,t)=>({...e,metadata:{...e.metadata,swarm:{...Js(e),...t}}});var Bs=(e,t,n)=>D(yt(e,t,n),gn(n)),hn=(e,t)=>Ks(ve(e,t)).flatMap(n=>Bs(e,t,n)??[]);function Ks(e){try{return(0,ne.readdirSync)(e).flatMap(n=>n.match(/^([1-9]\d{0,8})\.json$/)?.[1]??[]).sort((n,r)=>Number(n)-Number(r))}catch(t){if(k(t))return[];throw t}}var xn=$fs;var yn=v(nt),zs=b({name:h,agentId:d,agentType:d,model:d,color:d,joinedAt:yn,cwd:d,sessionId:d,pid:I,pidStartedAt:d,paneId:d,backend:d,socket:d,log:d,permissionMode:d,status:d,lastSeen:d,prompt:d}),Rc=b({name:d,description:d,createdAt:yn,leadAgentId:d,leadSessionId:d,status:d,suspendedAt:d,resumedAt:d,members:P(zs)});function bn(e){try{return(0,xn.readdirSync)(le(e),{withFileTypes:!0}).flatMap(n=>n.isDirectory()&&!A(n.name)?n.name:[])}catch(t){if(k(t))return[];throw t}}var R=e=>typeof e=="string"?e:JSON.stringify(e)??"";function Sn(e){if(typeof e!="object"||e===null||Array.isArray(e))return;let t=e,n=t.text??t.content;if(typeof n=="string")return{...t,id:wn(t.id,t.msg_id,t.message_id),from:wn(t.from)||"unknown",text:n,timestamp:Gs(t.timestamp),read:t.read===!0}}var wn=(...e)=>e.find(t=>typeof t=="string"&&t!=="")??"";function Gs(e){if(typeof e=="string")return e;let t=typeof e=="number"?new Date(e):void 0;return t&&!Number.isNaN(t.getTime())?t.toISOString():""}function je(e,t){return e.state==="answered"||e.state==="dead"?e.state:e.read?"shown":qs(e,t)?"claimed":"queued"}function qs({claim:e},t){let n=Date.parse(e?.at??"");return Math.abs(t.getTime()-n)<3e4}var Hs=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,re=e=>Vs(e).replace(/\r\n?/g,`
`).replace(Hs,"");var Vs=e=>e.toWellFormed();var Ys=160,Fe=4e3,Y=new Map([["deny","denied"],["ask","asked"],["warn","warned"]]),Xs=new Set(["mail-delivered","report","teammate-idle","member-ended"]),Zs=new Set(["state","session-start","session-end","member-state","member-crashed"]),Qs=new Set(["id","at","event","session","agent","feature","what"].concat(["team","name","kind","list","who"]));function kn(e,t){if(Xs.has(e.what))return;let n={at:Date.parse(e.at),agent:t};return Y.get(e.what)?{...n,...eo(e)}:e.task!==void 0?{...n,...no(e)}:e.what==="context-level"?{...n,kind:"context",head:`context at ${e.share} %`}:{...n,kind:Zs.has(e.what)?"state":"note",...ro(e)}}function eo(e){let t=y(e.rule,80)||e.feature,n=[e.tool,e.input].filter(Boolean).join(" "),r=[e.reason,n&&`Asked for: ${n}`,e.id&&`swarm explain ${e.id}`];return{kind:"decision",head:y(`${t}: ${to(R(e.reason??Y.get(e.what)))}`),text:be(r.filter(Boolean).join(`

`)),tone:e.what,rule:t}}var to=e=>e.split(/(?<=[.!?])\s|\n/)[0]??"";function no(e){let{what:t,owner:n,comment:r}=e,s=R(t).replace(/^task-/,"").replaceAll("-"," "),i=n?` (${n})`:"";return{kind:"task",head:y(`#${e.task} ${e.subject??""}: ${s}${i}`),text:r?be(R(r)):void 0,tone:y(e.status,20)||void 0}}function ro(e){let t=Object.entries(e).filter(([s,i])=>!Qs.has(s)&&s!==e.what&&i!==void 0&&i!=="").map(([s,i])=>`${s}: ${typeof i=="string"?i:JSON.stringify(i)}`),n=e.what==="state"?R(e.state??""):e.what.replaceAll("-"," "),r=y([n,...t].join(" \xB7 "));return{head:r,text:r.endsWith("\u2026")?be(t.join(`
`)):void 0}}function Tn(e,t,n){let r=be(e.text),s=y(e.summary??r.split(`
`).find(i=>i.trim()!=="")??"");return{at:Date.parse(e.timestamp),kind:"message",agent:y(e.from,80),to:t,head:s||"(empty)",text:r===s?void 0:r,tone:je(e,n)}}function y(e,t=Ys){let n=e==null?"":ye(re(R(e)));return n.length>t?`${n.slice(0,t-1).trimEnd()}\u2026`:n}var be=e=>{let t=re(e).trim();return t.length>Fe?`${t.slice(0,Fe)}
\u2026 (${t.length-Fe} more characters)`:t};function En(e,t){let n=new Map,r=(s,i,o)=>n.set(s,{...n.get(s),...so({team:i,name:o})});for(let{session:s,team:i,agent:o}of e)r(s,i,o);for(let s of t)s.agent==="main"&&(s.name||s.team)&&s.feature==="sessions"&&r(s.session,s.team,s.name);return n}var so=e=>Object.fromEntries(Object.entries(e).filter(([,t])=>typeof t=="string"&&t!=="")),oo=new Set(["member-crashed","member-state"]);function _n(e,t){let n=t.get(e.session),r=String(e.team??e.list??n?.team??"")||void 0;return oo.has(e.what)?{team:r,name:String(e.name??"")||void 0}:e.event==="command"||e.what==="member-ended"?{team:r,name:e.agent}:{team:r,name:ge(e.agent)??n?.name}}function we({team:e,name:t},n,r){let s=y(t,60)||y(n.slice(0,8))||"you";return r||!t||!e?s:`${s}@${y(e,60)}`}var Pn=({event:e,agent:t,what:n})=>e!=="command"&&t!=="main"&&n!=="member-ended"&&ge(t)===void 0;function vn(e,t,n){let r=[];return e.forEach((s,i)=>{let o=Math.max(s.at,t),a=Math.min(e[i+1]?.at??n,n);if(a<=o)return;let c=r.at(-1);c?.state===s.state&&c.to===o?c.to=a:r.push({state:s.state,from:o,to:a})}),r.filter(({state:s})=>s!=="gone")}function Se(e,t,n,r){if(e.length<=r)return[...e];let s=(n-t)/r,i=[],o=0;for(let a=0;a<r;a++){let[c,u]=[t+a*s,t+(a+1)*s],l=new Map;for(;o<e.length&&(e[o]?.to??0)<=c;)o++;for(let S=o;S<e.length&&(e[S]?.from??n)<u;S++){let{state:G,from:Ee,to:ar}=e[S];l.set(G,(l.get(G)??0)+Math.min(ar,u)-Math.max(Ee,c))}let[m]=[...l].sort((S,G)=>G[1]-S[1])[0]??[],x=i.at(-1);x&&x.state===m&&x.to===c?x.to=u:m&&i.push({state:m,from:c,to:u})}return i}var io=new Map(Object.entries({working:"working",idle:"idle",waiting:"waiting",ended:"gone"}));function An(e){return e.what==="state"?e.state==="failed"?uo(e):io.get(String(e.state)):e.what==="member-state"?co.get(String(e.state)):ao.get(e.what)}var ao=new Map(Object.entries({"session-start":"idle","teammate-idle":"idle","session-end":"gone","member-ended":"gone","member-crashed":"gone"})),co=new Map(Object.entries({silent:"silent",gone:"gone","rate-limited":"limited"})),lo=/rate_limit|overloaded|usage_limit/,uo=({failure:e})=>lo.test(String(e??""))?"limited":"failed",po=new Map(Object.entries({"session-start":"idle",stop:"idle","teammate-idle":"idle","notification-idle-prompt":"idle","permission-request":"waiting","session-end":"gone"})),$n=({type:e})=>po.get(e);function Mn(e,t){let n=e.flatMap(r=>{let s=Math.max(Date.parse(r.at),t);if(r.what==="compact-end")return[{at:s,share:0}];let i=Number(r.share);return r.what==="context-level"&&Number.isFinite(i)?[{at:s,share:i}]:[]});return n.filter(({at:r},s)=>r>t||(n[s+1]?.at??Number.POSITIVE_INFINITY)>t)}var mo=512*1024;function Ln(e,t,n){let r=new Map;for(let s of Ve(ht(e,t,n),mo).split(`
`)){let i=fo(s);i&&r.set(i.id,{...r.get(i.id),...i})}return[...r.values()].filter(s=>typeof s.text=="string")}function fo(e){try{return JSON.parse(e)}catch{return}}var md=12*1024*1024;var Nn=(e,t,n)=>go(ft(e,t,n)).flatMap(({message:r})=>r??[]);var On=P(tt),go=e=>(D(e,On)??$(e,On)??[]).map(t=>({entry:t,message:Sn(t)}));function Dn({places:e,now:t},n,r,s){let i=o=>s?o:`${o}@${y(n,60)}`;return ho(e,n).flatMap(o=>{let a=i(y(o,60)),c=[...Ln(e,n,o),...Nn(e,n,o)];return xo(c).map(u=>Tn(u,a,t)).map(u=>({...u,agent:i(u.agent)})).filter(u=>u.at>=r&&u.at<=t.getTime())})}function ho(e,t){let n=Z(gt(e,t)).flatMap(s=>In(s,".json")),r=Z(xt(e,t)).flatMap(s=>In(s,".jsonl"));return[...new Set([...n,...r])].filter(s=>!A(s)).sort()}var In=(e,t)=>e.endsWith(t)?[e.slice(0,-t.length)]:[];function xo(e){return[...new Map(e.map((n,r)=>[n.id||`no id ${r}`,n])).values()]}var Cn=2e4;function jn(e,t,n){let r=t===void 0?bn(e.places):[t],s=yo(e,t,n),i=r.flatMap(u=>Dn(e,u,s.from,t!==void 0)),a=[...s.lines.flatMap(u=>Date.parse(u.at)<s.from?[]:kn(u,u.who)??[]),...i].sort((u,l)=>u.at-l.at),c={...s,...So(s,a)};return{title:t??"this machine",from:c.from,to:c.to,zone:-e.now.getTimezoneOffset(),lanes:ko(e,c,a),entries:a.slice(-Cn),tasks:r.flatMap(u=>vo(e,u,t!==void 0)),leftOut:Math.max(0,a.length-Cn)}}function yo({places:e,now:t},n,r){let s=dn(e,r,t),i=At(e),o=En(i,s),a=l=>n===void 0||l===n,c=n!==void 0,u=new Set(s.map(({session:l})=>l));return{team:n,from:r.getTime(),to:t.getTime(),lines:s.flatMap(l=>{let m=_n(l,o);return a(m.team)?{...l,who:we(m,l.session,c)}:[]}),records:i.flatMap(l=>{let m=o.get(l.session)??{};return a(m.team)?{...l,who:we(m,l.session,c)}:[]}),events:un(e,r).flatMap(l=>a(l.team)&&!(l.source==="claude_hook"&&u.has(l.session))?{...l,who:we({team:l.team,name:l.agent},l.session,c)}:[])}}var bo=.02,wo=6e4;function So({from:e,to:t,lines:n,records:r,events:s},i){let o=[...n,...s].map(({at:x})=>Date.parse(x)).concat(i.map(({at:x})=>x)),a=o.reduce((x,S)=>Math.min(x,S),t),c=o.reduce((x,S)=>Math.max(x,S),a),l=r.some(x=>!x.endedAt&&Oe({pid:x.pid,startedAt:x.pidStartedAt})!=="gone")||o.length===0?t:c,m=Math.max(wo,(l-a)*bo);return{from:Math.max(e,a-m),to:Math.min(t,l+m)}}function ko(e,t,n){let r=Rn(To(t),({agent:m})=>m),s=Rn(t.lines,({who:m})=>m),i=t.team===void 0?void 0:he(e.places,t.team),o=(i?.members??[]).map(({name:m})=>y(m,60)),a=[...r].filter(([,m])=>m.some(({at:x,state:S})=>x>=t.from||S!=="gone")),c=t.team===void 0?[]:n.filter(({kind:m})=>m==="message"),u=new Set([...o,...a.map(([m])=>m),...c.map(({agent:m})=>m)]),l=_o(t,i?.members??[]);return[...u].map(m=>{let x=(r.get(m)??[]).sort((G,Ee)=>G.at-Ee.at),S=Mn(s.get(m)??[],t.from);return{agent:m,role:m===V?"lead":l.get(m)??"",spans:vn(x,t.from,t.to),levels:[...S,...Po(e,t,m,S)]}}).sort((m,x)=>+(x.role==="lead")-+(m.role==="lead"))}function Rn(e,t){let n=new Map;for(let r of e){let s=n.get(t(r));s?s.push(r):n.set(t(r),[r])}return n}function To({lines:e,records:t,events:n,to:r}){let s=e.flatMap(o=>{let a=Pn(o)?void 0:An(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]}),i=n.flatMap(o=>{let a=$n(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]});return[...s,...i,...Eo(e,t,r)]}function Eo(e,t,n){let r=new Set(t.map(({session:o})=>o)),s=t.filter(o=>!o.endedAt&&!o.next).filter(o=>Oe({pid:o.pid,startedAt:o.pidStartedAt})==="gone").map(o=>({at:Date.parse(o.lastSeen),agent:o.who,state:"gone"})),i=new Map;for(let o of e)o.event!=="command"&&o.session&&!r.has(o.session)&&i.set(o.session,{at:Math.min(n,Date.parse(o.at)+1),agent:o.who,state:"gone"});return[...s,...i.values()]}function _o({records:e},t){return new Map([...t.map(({name:n,agentType:r})=>[y(n,60),y(r,60)]),...e.flatMap(({who:n,role:r,isLead:s})=>s?[[n,"lead"]]:r?[[n,y(r,60)]]:[])])}function Po(e,t,n,r){let s=t.records.findLast(({who:u,endedAt:l,next:m})=>u===n&&!l&&!m);if(!s?.transcript||Date.parse(s.lastSeen)<t.from)return[];let i={session_id:s.session,transcript_path:s.transcript},o={setting:e.loaded.values["context.window"],compactWindow:e.compactWindow},a=on(e.places,i,o)?.share,c=Math.max(Date.parse(s.lastSeen),r.at(-1)?.at??0);return a===void 0?[]:[{at:c,share:Math.floor(a)}]}function vo({places:e},t,n){let r=s=>n?`#${s}`:`${y(t,40)} #${s}`;return hn(e,t).map(({id:s,subject:i,status:o,owner:a,blockedBy:c})=>({id:r(s),subject:y(i),status:y(o,20),owner:y(a,60),blockedBy:c.map(u=>r(y(u,12)))}))}var Ao={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},g=e=>re(R(e)).replace(/[&<>"']/g,t=>Ao[t]??t),Un=e=>JSON.stringify(e).replaceAll("<","\\u003c").replaceAll("\u2028","\\u2028").replaceAll("\u2029","\\u2029"),Fn=e=>String(e).padStart(2,"0");function z(e,t){let n=new Date(e+t*6e4).toISOString();return{day:n.slice(0,10),time:n.slice(11,16)}}function Jn(e){if(e===0)return"UTC";let t=Math.abs(e);return`UTC${e<0?"\u2212":"+"}${Fn(Math.floor(t/60))}:${Fn(t%60)}`}function ke(e){let t=Math.round(e/1e3);if(t<60)return`${t} s`;let n=Math.round(t/60);if(n<60)return`${n} min`;let r=Math.floor(n/60),s=(i,o,a,c)=>a>0?`${i} ${o} ${a} ${c}`:`${i} ${o}`;return r<48?s(r,"h",n%60,"min"):s(Math.floor(r/24),"d",r%24,"h")}var N=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`;var tr=require("node:crypto");var Ue=`(() => {
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
})();`;var Te=12,$o=500,se=(e,t,n)=>`<li><a href="#${e}"><b>${g(t)}</b><span>${g(n)}</span></a></li>`;function Bn(e){let{lanes:t,entries:n,tasks:r}=e,s=l=>n.filter(m=>m.kind===l),i=s("message"),o=i.filter(({tone:l})=>l==="queued"||l==="claimed").length,a=s("decision").filter(({tone:l})=>l==="deny").length,c=r.filter(({status:l})=>l==="completed").length,u=t.flatMap(({agent:l,levels:m})=>m.map(({share:x})=>({agent:l,share:x}))).reduce((l,m)=>m.share>l.share?m:l,{agent:"",share:0});return`<ul class="facts">${[se("timeline",t.length,`${t.length===1?"agent":"agents"}, ${Mo(e)} of work`),se("mail",i.length,`${i.length===1?"message":"messages"}, ${o} unread`),se("tasks",`${c}/${r.length}`,"tasks completed"),se("decisions",s("decision").length,`decisions, ${a} denied`),se("timeline",u.share>0?`${u.share} %`:"\u2013",`fullest context ${u.agent}`.trim())].join("")}</ul>`}var Mo=({lanes:e})=>ke(e.flatMap(({spans:t})=>t).reduce((t,{state:n,from:r,to:s})=>n==="working"?t+s-r:t,0)),Wn={working:"working",idle:"idle",waiting:"waiting for somebody",limited:"rate limited",failed:"turn broke off",silent:"silent"};function Kn(e){let t=new Set(e.lanes.flatMap(({spans:o})=>o.map(({state:a})=>a))),n=Object.keys(Wn).filter(o=>t.has(o)),r=o=>`<svg width="14" height="12" aria-hidden="true">${o}</svg>`,s=o=>e.entries.some(a=>a.kind===o);return`<ul class="legend">${[...n.map(o=>[`<rect class="s-${o}" y="2" width="14" height="8" rx="2"/>`,Wn[o]]),...s("message")?[['<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>',"message"]]:[],...s("decision")?[['<circle class="d-deny" cx="7" cy="6" r="4"/>',"denied or asked"]]:[],...e.lanes.some(({levels:o})=>o.length>0)?[['<rect class="c-mid" y="5" width="14" height="3" rx="1"/>',"context filling"]]:[]].map(([o="",a=""])=>`<li>${r(o)}${a}</li>`).join("")}</ul>`}function zn(e,t){let n=new Map;for(let r of e){let s=t(r),i=n.get(s.join(`
`))??{key:s,n:0};n.set(s.join(`
`),{...i,n:i.n+1})}return[...n.values()].sort((r,s)=>s.n-r.n)}var Je=(e,t,n="number")=>`<table><thead><tr>${e.map((r,s)=>`<th${s===e.length-1?` class="${n}"`:""} scope="col">${r}</th>`).join("")}</tr></thead><tbody>${t.map(r=>`<tr>${r.map((s,i)=>`<td${i===r.length-1?` class="${n}"`:""}>${s}</td>`).join("")}</tr>`).join("")}</tbody></table>`,Gn=e=>e.length>Te?`<p class="empty">and ${e.length-Te} more</p>`:"";function qn({entries:e,lanes:t}){let n=e.filter(({kind:o})=>o==="message");if(n.length===0)return'<p class="empty">Nobody has written.</p>';let r=zn(n,({agent:o,to:a=""})=>[o,a]),s=new Set(r.flatMap(({key:o})=>o));if(s.size<=Lo)return Io(r,No(s,t));let i=r.slice(0,Te).map(({key:o,n:a})=>[...o.map(g),String(a)]);return Je(["from","to","messages"],i)+Gn(r)}var Lo=6,Oo=4,No=(e,t)=>[...new Set([...t.map(({agent:n})=>n).filter(n=>e.has(n)),...e])];function Io(e,t){let n=Math.max(...e.map(({n:o})=>o)),r=(o,a)=>{let c=e.find(({key:l})=>l[0]===o&&l[1]===a)?.n;return`<td${c?` class="h${Math.ceil(Oo*c/n)}"`:""}>${c??(o===a?"":"\xB7")}</td>`},s=t.map(o=>`<th scope="col">${g(o)}</th>`).join(""),i=t.map(o=>`<tr><th scope="row">${g(o)}</th>${t.map(a=>r(o,a)).join("")}</tr>`);return`<table class="square"><thead><tr><th scope="col"><small>from \u2193 to \u2192</small></th>${s}</tr></thead><tbody>${i.join("")}</tbody></table>`}function Hn({entries:e}){let t=zn(e.filter(({kind:r})=>r==="decision"),({rule:r="",tone:s="",agent:i})=>[r,s,i]);if(t.length===0)return'<p class="empty">No rule had to speak.</p>';let n=t.slice(0,Te).map(({key:[r="",s="",i=""],n:o})=>[g(r),g(i),`<span class="tone t-${g(s)}">${Y.get(s)??""}</span>`,String(o)]);return Je(["rule","agent","","times"],n)+Gn(t)}function Vn({tasks:e}){if(e.length===0)return'<p class="empty">No tasks on the list.</p>';let t=e.slice(-$o),n=new Set(e.flatMap(({id:o,status:a})=>a==="completed"?o:[])),r=o=>{let a=o.filter(c=>!n.has(c));return a.length>0?` <small>waits for ${g(a.join(", "))}</small>`:""},s=t.map(({id:o,subject:a,owner:c,status:u,blockedBy:l})=>[g(o),g(a)+r(l),g(c),`<span class="tone t-${g(u)}">${g(u.replace("_"," "))}</span>`]),i=e.length-t.length;return`${Do(e)}${Je(["","task","owner","status"],s)}${i>0?`<p class="empty">and ${N(i,"older task")}</p>`:""}`}function Do(e){let t=s=>100*e.filter(i=>i.status===s).length/e.length,[n,r]=[t("completed"),t("in_progress")];return`<svg class="bar" role="img" aria-label="${Math.round(n)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(n+r).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${n.toFixed(2)}%" height="6" rx="3"/></svg>`}var Yn=["message","task","decision","context","state","note"];var We=`
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
`;var Zn=400,Co=1500,Ro=6,X=26,jo=46,Fo=26,Uo=16,Ke=e=>e>Uo?Fo:jo,Jo={working:.52,waiting:.34,limited:.34,failed:.34,silent:.2,idle:.09,gone:0},Wo=({from:e,to:t,lanes:n})=>({from:e,to:t,lane:Ke(n.length)}),j=(e,{from:t,to:n})=>ze(100*(e-t)/Math.max(1,n-t)),ze=e=>Math.round(e*100)/100,Be=(e,{lane:t})=>X+e*t+t/2;function Qn(e){let t=Wo(e),n=X+e.lanes.length*t.lane;return[`<svg id="picture" width="100%" height="${n}" role="img" aria-label="States of ${e.lanes.length} agents over time">`,zo(e,t,n),...e.lanes.map((r,s)=>`<g class="lane">${Go(r,s,t)}${qo(r,s,t)}</g>`),`<g class="mail">${Ho(e,t)}</g>`,`<g class="dots">${Xo(e,t)}</g>`,`<line id="cursor" x1="0" x2="0" y1="${X-6}" y2="${n}" visibility="hidden"/>`,"</svg>"].join("")}var Bo=[1,2,5,10,15,30,60,120,180,360,720,1440,2880,10080,20160,43200],Xn=7;function Ko(e,t,n){let r=(t-e)/6e4,s=(Bo.find(c=>r/c<=Xn)??86400)*6e4,i=n*6e4,o=Math.ceil((e+i)/s)*s-i,a=Math.max(0,Math.floor((t-o)/s)+1);return Array.from({length:Math.min(a,Xn+1)},(c,u)=>o+u*s)}function zo(e,t,n){let r=e.to-e.from>1728e5;return`<g class="axis">${Ko(e.from,e.to,e.zone).map(i=>{let o=j(i,t),{day:a,time:c}=z(i,e.zone),u=o<4?"start":o>96?"end":"middle",l=r||c==="00:00"?a.slice(5):c;return`<line class="tick" x1="${o}%" x2="${o}%" y1="${X-6}" y2="${n}"/><text class="time" x="${o}%" y="13" text-anchor="${u}">${l}</text>`}).join("")}</g>`}function Go({agent:e,spans:t},n,r){return Se(t,r.from,r.to,Zn).map(({state:s,from:i,to:o})=>{let a=j(i,r),c=Math.max(.15,ze(j(o,r)-a)),u=Math.max(2,Math.round(Jo[s]*r.lane)),l=Be(n,r)-u/2;return`<rect class="s-${s}" x="${a}%" y="${l}" width="${c}%" height="${u}" rx="2"><title>${g(e)}: ${s}</title></rect>`}).join("")}function qo({agent:e,levels:t},n,r){return t.slice(-Zn).map(({at:s,share:i},o,a)=>{if(i<=0)return"";let c=j(s,r),u=j(Math.max(a[o+1]?.at??r.to,s),r),l=i>=90?"high":i>=75?"mid":"low",m=i>=90?4:i>=75?3:2,x=X+(n+1)*r.lane-4-m;return`<rect class="c-${l}" x="${c}%" y="${x}" width="${ze(Math.max(.3,u-c))}%" height="${m}" rx="1"><title>${g(e)}: context at ${i} %</title></rect>`}).join("")}function Ho({lanes:e,entries:t},n){let r=new Map(e.map(({agent:i},o)=>[i,o])),s=t.flatMap(({kind:i,agent:o,to:a,at:c})=>{let[u,l]=[r.get(o),r.get(a??"")];return i==="message"&&u!==void 0&&l!==void 0&&u!==l?[{a:u,b:l,at:c}]:[]});return Vo(s,n,Co,({a:i,b:o})=>`${i} ${o}`).map(({a:i,b:o,at:a})=>{let c=j(a,n),[u,l]=[Be(i,n),Be(o,n)];return`<line x1="${c}%" x2="${c}%" y1="${u}" y2="${l}"/><circle cx="${c}%" cy="${l}" r="2.6"/>`}).join("")}function Vo(e,{from:t,to:n},r,s){let i=new Set(e.map(s)).size,o=Math.max(1,Math.min(1e3,Math.floor(r/Math.max(1,i)))),a=new Map;for(let c of e)a.set(`${s(c)} ${Math.floor(o*(c.at-t)/Math.max(1,n-t))}`,c);return[...a.values()].slice(-r)}var Yo=["warn","ask","deny"];function Xo({lanes:e,entries:t},n){let r=new Map(e.map(({agent:o},a)=>[o,a])),s=new Map,i=({tone:o})=>Yo.indexOf(o??"");for(let o of t){if(o.kind!=="decision"||!r.has(o.agent))continue;let a=`${o.agent} ${Math.floor(10*j(o.at,n)/Ro)}`,c=s.get(a);(!c||i(o)>=i(c))&&s.set(a,o)}return[...s.values()].map(o=>{let a=X+(r.get(o.agent)??0)*n.lane+8;return`<circle class="d-${g(o.tone??"")}" cx="${j(o.at,n)}%" cy="${a}" r="4"><title>${g(o.agent)}: ${g(o.head)}</title></circle>`}).join("")}var Ge="<!-- a report by swarm -->",er=e=>`'sha256-${(0,tr.createHash)("sha256").update(e).digest("base64")}'`,Zo=`default-src 'none'; style-src ${er(We)}; script-src ${er(Ue)}; base-uri 'none'; form-action 'none'`,Qo=400;function nr(e){return`<!doctype html>
${Ge}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${Zo}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${g(e.title)}: swarm report</title>
<style>${We}</style>
</head>
<body>
<main>
${ei(e)}
${Bn(e)}
${ti(e)}
<div class="pair">
<section id="mail"><h2>Who wrote to whom</h2>${qn(e)}</section>
<section id="decisions"><h2>Which rules spoke</h2>${Hn(e)}</section>
</div>
<section id="tasks"><h2>Tasks</h2>${Vn(e)}</section>
${ri(e)}
<footer>Keys: <kbd>/</kbd> search, <kbd>\u2191</kbd> <kbd>\u2193</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>\u2190</kbd> <kbd>\u2192</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${Un(si(e))}</script>
<script>${Ue}</script>
</body>
</html>
`}function ei({title:e,from:t,to:n,zone:r}){let[s,i]=[z(t,r),z(n,r)],o=s.day===i.day?i.time:`${i.day} ${i.time}`;return`<header><p class="brand">swarm report</p><h1>${g(e)}</h1><p>${s.day} ${s.time} \u2013 ${o} ${Jn(r)}, ${ke(n-t)}</p></header>`}function ti(e){let{lanes:t}=e;if(t.length===0)return'<section id="timeline"><h2>Timeline</h2><p class="empty">Nobody was seen in this time.</p></section>';let n=t.map(({agent:s,role:i,spans:o})=>`<li class="label"><b title="${g(s)}">${g(s)}</b><span class="now">${g(i||(o.at(-1)?.state??"away"))}</span></li>`),r=Ke(t.length)<40?" many":"";return`<section id="timeline"><h2>Timeline<small>${N(t.length,"agent")}</small></h2>
<div class="timeline${r}"><ul class="labels">${n.join("")}</ul>
<div id="scrub" tabindex="0" role="slider" aria-label="Moment" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="1000">${Qn(e)}</div></div>
<p id="moment"></p>${Kn(e)}</section>`}var ni={message:"Messages",task:"Tasks",decision:"Decisions",context:"Context",state:"States",note:"Notes"};function ri(e){let t=Yn.flatMap(i=>{let o=e.entries.filter(a=>a.kind===i).length;return o>0?`<button type="button" data-kind="${i}" aria-pressed="false">${ni[i]}<small>${o}</small></button>`:[]}),r=[...new Set(e.entries.flatMap(({agent:i,to:o})=>o?[i,o]:[i]))].sort().map(i=>`<option>${g(i)}</option>`);return`<section><h2 id="log-title">What happened${e.leftOut>0?`<small>${N(e.leftOut,"older entry","older entries")} not shown</small>`:""}</h2>
<div class="filters">${t.join("")}<select id="agent" aria-label="Agent"><option value="">Everybody</option>${r.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript><p class="empty">The log needs the script of this page.</p></noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`}var si=({from:e,to:t,zone:n,entries:r,lanes:s})=>({from:e,to:t,zone:n,tones:[...Y],entries:r,lanes:s.map(({spans:i})=>Se(i,e,t,Qo).map(o=>[o.state,o.from,o.to]))});var oi={m:6e4,h:36e5,d:864e5,w:6048e5};function rr(e,t){let n=(e??"24h").match(/^(\d{1,5})\s*([mhdw])$/),r=n?t.getTime()-Number(n[1])*(oi[n[2]??""]??0):/^\d{4}-\d\d-\d\d/.test(e??"")?Date.parse(e??""):Number.NaN;if(Number.isNaN(r))throw O("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");if(r>=t.getTime())throw O("--since lies in the future");return new Date(r)}var or={team:{type:"string"},since:{type:"string"},out:{type:"string"},all:{type:"boolean"},"session-id":{type:"string"}};function ir(e){let{flags:t,now:n}=e;if(t.all&&t.team)throw O("--all and --team exclude each other");let r=ai(e),s=jn(e,r,rr(t.since,n)),i=nr(s);if(t.out==="-")return{text:i};let o=(0,sr.resolve)(e.cwd,t.out??ii(s)),a=Ye(o,200)?.text;if(a!==void 0&&!a.includes(Ge))throw O(`${o} is there and is no report; --out names another file`);_t(o,i);let c={agents:s.lanes.length,entries:s.entries.length,tasks:s.tasks.length},l=`${`${N(c.agents,"agent")}, ${N(c.entries,"entry","entries")}, ${N(c.tasks,"task")}`}. Open it in a browser; it holds the messages' texts.`;return{text:`${o}
${l}`,data:{path:o,...c}}}function ii({title:e,to:t,zone:n}){return`swarm-report-${A(e)?"machine":e.replaceAll(" ","-")}-${z(t,n).day}.html`}function ai({flags:e,places:t,identity:n}){let r=e.all?void 0:e.team??n.team,s=r!==void 0&&!A(r)&&he(t,r)!==void 0;if(e.team!==void 0&&!s)throw O(`there is no team ${JSON.stringify(r)}; \`swarm list-teams\` shows those there are`);return s?r:void 0}Xt({usage:`swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h. --out - prints it.`,flags:or,run:ir});
