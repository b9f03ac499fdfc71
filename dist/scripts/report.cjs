var $path=require("node:path"),$fs=require("node:fs");var ir=$path;var Xt=$path,Zt=require("node:util");var w=$fs,lr=16*1024*1024,qe=w.constants.O_RDONLY|(w.constants.O_NONBLOCK??0);function He(e){try{return(0,w.readFileSync)(e,"utf8")}catch(t){if(k(t))return;throw t}}function F(e,t=lr){let n=ur(e);if(n){if(!n.isFile())throw new Error(`${e} is not a regular file`);if(n.size>t)throw new Error(`${e} has ${n.size} bytes, more than ${t}`);try{return(0,w.readFileSync)(e,{encoding:"utf8",flag:qe})}catch(r){if(k(r))return;throw r}}}function q(e,t){let n=Xe(e);if(n!==void 0)try{let{size:r}=Ze(n,e),s=Math.max(0,r-t);return{text:Qe(n,s,r-s).toString("utf8"),size:r}}finally{(0,w.closeSync)(n)}}function Ve(e,t){let n=q(e,t)?.text??"";return n.length<t?(q(`${e}.1`,t)?.text??"")+n:n}function Ye(e,t){let n=Xe(e);if(n!==void 0)try{let{size:r}=Ze(n,e);return{text:Qe(n,0,Math.min(t,r)).toString("utf8"),size:r}}finally{(0,w.closeSync)(n)}}function ur(e){try{return(0,w.statSync)(e,{throwIfNoEntry:!1})}catch(t){if(k(t)||P(t,"EACCES"))return;throw t}}function Xe(e){if((0,w.existsSync)(e))try{return(0,w.openSync)(e,qe)}catch(t){if(k(t))return;throw t}}function Ze(e,t){let n=(0,w.fstatSync)(e);if(!n.isFile())throw new Error(`${t} is not a regular file`);return n}function Qe(e,t,n){let r=Buffer.allocUnsafe(n),s=0;for(;s<n;){let i=(0,w.readSync)(e,r,s,n-s,t+s);if(i===0)break;s+=i}return r.subarray(0,s)}var k=e=>P(e,"ENOENT")||P(e,"ENOTDIR")||P(e,"ERR_INVALID_ARG_VALUE"),P=(e,t)=>e?.code===t;var J=(e,t)=>new Error(`${e||"it"} must be ${t}`),et=(e,t)=>ae(e,t,"string","text")??"";var d=(e,t)=>ae(e,t,"string","text"),oe=(e,t)=>ae(e,t,"boolean","true or false"),I=(e,t)=>ae(e,t,"number","a number"),tt=e=>e,h=(e,t)=>{if(typeof e!="string")throw J(t,"text");return e},nt=(e,t)=>{if(typeof e!="string"&&typeof e!="number")throw J(t,"text or a number");return e},U=(e,t)=>{if(typeof e!="number")throw J(t,"a number");return e},rt=(e,t)=>{if(e==null)return{};if(typeof e!="object"||Array.isArray(e))throw J(t,"an object");return e};var _=e=>(t,n)=>{if(t==null)return[];if(!Array.isArray(t))throw J(n,"a list");return t.map((r,s)=>e(r,`${n}.${s}`))},v=e=>(t,n)=>t==null?void 0:e(t,n);var ie=e=>{let t;return(n,r)=>(t??=e(),t(n,r))},b=e=>{let t;return(n,r)=>{if(typeof n!="object"||n===null||Array.isArray(n))throw J(r,"an object");let s=n,i={...s};t??=Object.entries(e);for(let[o,a]of t){let c=a(s[o],r?`${r}.${o}`:o);c!==void 0?i[o]=c:o in s&&delete i[o]}return i}};function ae(e,t,n,r){if(e!=null){if(typeof e!==n)throw J(t,r);return e}}var st=$fs;function Z(e){try{return(0,st.readdirSync)(e)}catch(t){if(k(t))return[];throw t}}var M=$path;var ce=(e,t)=>e.length===1&&t.includes(e),mr="0123456789",pr="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",fr=e=>ce(e,mr),gr=e=>ce(e,pr),hr=e=>gr(e)||e==="_"||fr(e),ot=e=>e!==""&&[...e].every(t=>ce(t,"0123456789abcdef"));var de=(e,t)=>e!==""&&[...e].every(n=>hr(n)||ce(n,t));var xr=/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i,yr=/[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/,_e=100,it="fine";function A(e){if(e===it)return;let t=wr(e);return t===void 0&&(it=e),t}var br=e=>e.length>4&&e.length<=_e&&!e.startsWith("-")&&de(e,"-");function wr(e){if(typeof e!="string"||e==="")return"is empty";if(!br(e)){if(yr.test(e))return'contains a separator, a control character or one of : * ? " < > |';if(/^[.\-\s]/.test(e))return"starts with a dot, a dash or a space";if(/[.\s]$/.test(e))return"ends with a dot or a space";if(xr.test(e))return"is a reserved device name";if(Buffer.byteLength(e)>_e)return`is longer than ${_e} bytes`}}function T(e){let t=A(e);if(t)throw new Error(`the name ${JSON.stringify(String(e).slice(0,80))} ${t}`);return e}var Pe={base:"",clean:""};function H({base:e},...t){Pe.base!==e&&(Pe={base:e,clean:(0,M.resolve)(e,"x").slice(0,-2)});let n=Pe.clean;for(let r of t)n+=M.sep+r;return n}var W=(e,...t)=>H(e,"swarm",...t);var at=e=>W(e,"settings.toml"),ct=e=>W(e,"sessions"),dt=(e,t)=>W(e,"sessions",`${T(t)}.json`);var lt=(e,t,n)=>W(e,"agents",T(t),`${T(n)}.json`);var ut=(e,t)=>W(e,"context",T(t),"status-line.json"),mt=(e,t,n)=>W(e,"context",T(t),"voices",`${T(n)}.json`);var pt=(e,t)=>W(e,"journal",`${t}.jsonl`);var le=e=>(0,M.join)(e.base,"teams"),Q=(e,t)=>H(e,"teams",T(t),"config.json"),ft=(e,t,n)=>H(e,"teams",T(t),"inboxes",`${T(n)}.json`),gt=(e,t)=>H(e,"teams",T(t),"inboxes");var ht=(e,t,n)=>H(e,"teams",T(t),"archive",`${T(n)}.jsonl`),xt=(e,t)=>H(e,"teams",T(t),"archive");var ve=(e,t)=>(0,M.join)(e.base,"tasks",t.replace(/[^A-Za-z0-9_-]/g,"-")||T(t));function yt(e,t,n){if(!/^[1-9]\d{0,8}$/.test(n))throw new Error(`a task is named by its number, not by ${JSON.stringify(n)}`);return(0,M.join)(ve(e,t),`${n}.json`)}var Sr=(e,...t)=>(0,M.join)(e.atmHome,".claude","daemon",...t),bt=e=>Sr(e,"hooks","events.jsonl");var kt=$fs;var wt=Symbol.for("swarm.shared");function ue(){let e=globalThis;return e[wt]??={problems:[],ids:0,deadline:Number.POSITIVE_INFINITY},e[wt]}var St=e=>{ue().problems.push(e)};var B=e=>{Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,e)};var kr=3,Tr=50;function $(e,t){let n=He(e);if(n===void 0)return;let r=Tt(n,t);if(r.ok)return r.value;Er(e,r.why)}function D(e,t){for(let n=1;;n++){let r=F(e);if(r===void 0)return;let s=Tt(r,t);if(s.ok)return s.value;if(n===kr)return;B(Tr)}}function Tt(e,t){try{let n=JSON.parse(e);return{ok:!0,value:typeof t=="function"?t(n,""):t.parse(n)}}catch(n){return{ok:!1,why:n.message.split(`
`)[0]??""}}}function Er(e,t){let n=`${e}.corrupt-${new Date().toISOString().replace(/[:.]/g,"-")}`;try{(0,kt.renameSync)(e,n)}catch(r){if(k(r))return;throw r}St(`${e} is damaged (${t}); moved to ${n}`)}var Pr=10,_r=15,vr={win32:["EPERM","EACCES","EBUSY","ENOTEMPTY"]},Ar=["EBUSY","ESTALE"],$r=(e,t=process.platform)=>(vr[t]??Ar).some(n=>P(e,n));function Et(e,t=process.platform){for(let n=1;;n++)try{return e()}catch(r){if(n===Pr||!$r(r,t))throw r;B(_r)}}var E=$fs,Ae=$path;var Mr=0;function Pt(e,t,n={}){let r=`${e}.tmp.${process.pid.toString(16)}-${(++Mr).toString(16)}`;try{Or(r,t,n.durable===!0),Et(()=>{n.beforeRename?.(),(0,E.renameSync)(r,e)})}catch(s){throw(0,E.rmSync)(r,{force:!0}),s}n.durable&&Nr((0,Ae.dirname)(e))}function Or(e,t,n){let r=()=>(0,E.writeFileSync)(e,t,{encoding:"utf8",flag:"wx",mode:384,flush:n});try{r()}catch(s){if(!P(s,"ENOENT"))throw s;Lr((0,Ae.dirname)(e)),r()}}var Lr=e=>{(0,E.mkdirSync)(e,{recursive:!0,mode:448})};function Nr(e){if(process.platform==="win32")return;let t=(0,E.openSync)(e,"r");try{(0,E.fsyncSync)(t)}finally{(0,E.closeSync)(t)}}var _t=b({__proto__:null,session:h,agentId:d,wrapper:d,parent:d,previous:d,next:d,kind:d,team:d,agent:d,isLead:oe,evidence:v(_(h)),role:d,mode:d,mission:d,model:d,client:d,pid:I,pidStartedAt:d,pane:d,tmux:d,cwd:d,project:d,transcript:d,source:d,state:h,status:h,tool:v(b({name:h,id:d,since:h,permission:d})),statusText:d,failure:d,lastWords:d,startedAt:h,turnStartedAt:d,lastSeen:h,endedAt:d,endReason:d});var Ir=(e,{session:t,agentId:n})=>n?lt(e,t,n):dt(e,t),vt=(e,t)=>$(Ir(e,t),_t);var At=e=>Dr(ct(e));function Dr(e,t=()=>!0){return Z(e).filter(n=>n.endsWith(".json")&&t(n.slice(0,-5))).flatMap(n=>$(`${e}/${n}`,_t)??[])}var K=$path;var $e=[],$t={},Mt={"guard.enabled":!0,"guard.rules":$t,"guard.protect":$e,"guard.unprotect":$e,"guard.allow_paths":$e,"guard.allow_commands":$t};var Rr=[],Ot={},Cr={__proto__:null,"core.default_team":void 0,"core.identity":void 0,"core.welcome-message":void 0,"gate.orchestrators":["scrum-master"],"gate.max_teammates":16,"gate.max_spawns_per_hour":void 0,"gate.max_depth":void 0,"gate.premium_models":["opus"],"gate.max_premium":void 0,team:Ot,...Mt,"comms.tools":Rr,"comms.contacts":void 0,"context.core":["Desktop/TODAY.md","Desktop/MEMORY.md","Desktop/SYSTEM-INDEX.md"],"context.roles_dir":void 0,"context.window":void 0,"context.warn":[60,80,90,95],"context.max_chars":6e3,"heartbeat.throttle_s":60,"heartbeat.stale_s":300,"mail.deliver":["start","prompt","tool","stop","push"],"mail.keep_read":50,"mail.retention_days":30,"teammates.keep_alive":!1,"tasks.enforce":!0,"tasks.verify":void 0,"tasks.verify_timeout_s":120,"tasks.hold_idle":!1,"effort.block_after":10,"effort.overflow_warn":90,"effort.precompact":"snapshot","scratchpad.enabled":"auto","scratchpad.sections":["What I did","Cross-agent observations","Unresolved"],"scratchpad.exclude":["coordinator","ego"],"scratchpad.exempt":["Explore","Plan"],"scratchpad.empty_is_missing":!1,"scratchpad.max_blocks":2,"display.pane_color":"team","gc.keep_days":30,features:Ot},me=Cr;var jr=256*1024,Fr=["default_team","identity"];function Lt(e,t,n){let r=[],s=at(e),i=Nt(s,r),o=i?{path:s,text:i}:void 0,a=Wr(t,n,r),c={projectFile:a?.path,personFile:s,problems:r};if(!o&&!a?.text)return{values:me,sources:{},projectAsks:{},...c};let u=o?void 0:Ur(a?.text??"");if(u)return{values:{...me,...u},sources:Jr(u),projectAsks:{},...c};let{combine:l}=require("../lazy/settings-files.cjs");return{...l(me,o,a,r),...c}}var Jr=e=>Object.fromEntries(Object.keys(e).map(t=>[t,"project"]));function Ur(e){let[t,...n]=e.split(`
`);if(t!=="[core]")return;let r={};for(let s of n){if(s==="")continue;let i=Fr.find(c=>s.startsWith(`${c} = "`)),o=s.slice(s.indexOf('"')+1,-1);if(!(i!==void 0&&r[`core.${i}`]===void 0)||!s.endsWith('"')||!de(o,"-. "))return;r[`core.${i}`]=o}return r}function Wr(e,t,n){let r=t!==void 0&&t!==e&&Br(e,t)?t:e;for(let s=e;;s=(0,K.dirname)(s)){let i=(0,K.resolve)(s,".atm.toml"),o=Nt(i,n);if(o!==void 0)return{path:i,text:o};if(s===r||s===(0,K.dirname)(s))return}}function Br(e,t){let n=(0,K.relative)(t,e);return n===""||!(n.startsWith("..")||n.startsWith("/")||/^[a-z]:/i.test(n))}function Nt(e,t){try{return F(e,jr)}catch(n){return t.push(`${e}: ${n.message}`),""}}var pe=$fs;var Oe=$fs;var ee=$fs,It;function Me(){return It??=Kr(()=>{let e=(0,ee.readlinkSync)("/proc/self/ns/pid").replace(/\D/g,""),t=(0,ee.readFileSync)("/proc/sys/kernel/random/boot_id","utf8").slice(0,8),n=(0,ee.readFileSync)("/proc/sys/kernel/hostname","utf8").trim();return`${e}.${t}.${n}`}),It}function Dt(e){if(e===Me())return;let[,t,...n]=e.split("."),[,r,...s]=Me().split(".");return t!==r&&n.join(".")===s.join(".")?"gone":"unknown"}function Kr(e){try{return e()}catch{return""}}var Rt=$fs;function Ct(e,t=process.platform){if(t==="linux")return zr(qr(e));if(t==="darwin")return Gr(Hr(e))}function zr(e){let t=e?.slice(e.lastIndexOf(")")+2).split(" "),n=t?.[19];return n?{isZombie:t[0]==="Z",parent:Number(t[1]),startedAt:n}:void 0}function Gr(e){let t=e?.trim().match(/^(\S+)\s+(\d+)\s+(\S.*)$/);if(!t)return;let[,n="",r,s=""]=t;return{isZombie:n.startsWith("Z"),parent:Number(r),startedAt:s.replace(/\s+/g," ")}}function qr(e){try{return(0,Rt.readFileSync)(`/proc/${e}/stat`,"utf8")}catch(t){if(k(t)||P(t,"ESRCH"))return;throw t}}function Hr(e){let{spawnSync:t}=require("node:child_process"),n={encoding:"utf8",timeout:1e3,env:{LC_ALL:"C",TZ:"UTC"}},{status:r,stdout:s}=t("/bin/ps",["-o","state=,ppid=,lstart=","-p",String(e)],n);return r===0?s:void 0}var xa=ie(()=>b({pid:U,startedAt:d,session:h,team:d,agent:d,pane:d,tmux:d}));function jt(e){if(process.platform!=="linux")return[];try{return(0,Oe.readFileSync)(`/proc/${e}/cmdline`,"utf8").split("\0").slice(0,-1)}catch{return[]}}function Le({pid:e,startedAt:t}){if(!e)return"unknown";let[n,...r]=(t??"").split("@"),s=r.length>0?Dt(r.join("@")):void 0;if(s)return s;let i=Ct(e);return(i?i.isZombie:!Vr(e))?"gone":!n||!i?"unknown":i.startedAt===n?"alive":"gone"}function Vr(e){try{return process.kill(e,0),!0}catch(t){return P(t,"EPERM")}}var fe=e=>e.startsWith("session-")&&e.length===16&&ot(e.slice(8)),Yr=ie(()=>b({name:h,leadSessionId:d,leadProcess:v(b({pid:U,procStart:d})),members:_(b({name:h,agentId:d,agentType:d,model:d,tmuxPaneId:d,backendType:d,isActive:oe}))}));function Xr(e){return Zr(e).flatMap(t=>D(Q(e,t),Yr)??[])}function Zr(e){let t=le(e);return(0,pe.existsSync)(t)?(0,pe.readdirSync)(t).filter(fe):[]}function Jt(e,t){let n=jt(t.clientPid),r=Ft(n,"--agent-name"),s=Ft(n,"--team-name");if(r&&s&&fe(s))return{team:s,agent:r,isLead:!1,kind:"pane",by:"process"};let i=Xr(e),o=i.find(a=>a.leadSessionId===t.session||a.leadProcess?.pid===t.clientPid);return o?{team:o.name,agent:"team-lead",isLead:!0,kind:"lead",by:"lead"}:t.pane&&n.length===0?Qr(i,t.pane):void 0}function Qr(e,t){for(let{name:n,members:r}of e){let s=r.find(i=>i.backendType==="tmux"&&i.tmuxPaneId===t);if(s)return{team:n,agent:s.name,isLead:!1,kind:"pane",by:"pane"}}}function Ft(e,t){let n=e.indexOf(t);return n<0?void 0:e[n+1]}var V="team-lead",ge=e=>e.match(/^a(.+)-[0-9a-f]{16}$/)?.[1];function Ut(e){let{agent_id:t,agent_type:n,teammate_name:r,team_name:s}=e.payload,i=ts(e);if(t)return es(t,n,s,i);if(!r)return i;let o=i.isLead&&i.agent!==r;return{kind:i.kind==="named"?"named":o?"in-process":"pane",team:s||i.team,agent:r,isLead:r===V,evidence:["payload teammate_name"]}}function es(e,t,n,r){let s=ge(e);return s&&s===t?{kind:"in-process",team:n||r.team,agent:s,isLead:!1,evidence:["payload agent_id"]}:{kind:"subagent",team:r.team,agent:t||e,isLead:!1,parent:r.agent,evidence:["payload agent_id",...r.evidence]}}function ts(e){let t=os(e.native),n=[["client command line",()=>t()?.by==="process"?t():void 0],["environment",()=>rs(e.named)],["environment ATM_*",()=>({team:e.atm.team,agent:e.atm.identity})],["session record",e.record],["native team config",t],[".atm.toml",()=>ss(e.settings())]];return ns(n)}function ns(e){let t={kind:"solo",team:void 0,agent:void 0,isLead:!1,evidence:[]};for(let[n,r]of e){let s=r();if(!(!s||s.team&&t.team&&s.team!==t.team||!(s.team&&!t.team||s.agent&&!t.agent))&&(t.evidence.push(n),t.team??=s.team,!t.agent&&s.agent&&(t.agent=s.agent,t.isLead=s.isLead??s.agent===V,t.kind=s.kind??"solo"),t.team&&t.agent))break}return t.kind==="solo"&&t.team&&t.agent&&(t.kind=t.isLead?"lead":"named"),t}function rs({team:e,agent:t,agentId:n,agentType:r,leadId:s}){return{team:e,agent:t,isLead:t===V||r===V||n!==void 0&&n===s,kind:e&&t?"named":void 0}}var ss=({team:e,identity:t})=>({team:e,agent:t});function os(e){let t;return()=>(t??={value:e()},t.value)}var Ie=$path;var is=e=>`${e.getUTCFullYear()}-${te(e.getUTCMonth()+1)}-${te(e.getUTCDate())}T${te(e.getUTCHours())}:${te(e.getUTCMinutes())}:${te(e.getUTCSeconds())}.${`${e.getUTCMilliseconds()}`.padStart(3,"0")}Z`,te=e=>e<10?`0${e}`:e;function Wt(){let e=new Date;return e.toISOString=()=>is(e),e}var as=()=>process.env;function Bt(e=as()){return{__proto__:null,places:ds(e),now:Wt(),projectDir:f(e.CLAUDE_PROJECT_DIR),clientPid:cs(e),insideClient:e.CLAUDECODE==="1"||Ne(e.CLAUDE_PID)!==void 0,clientVersion:us(e.AI_AGENT),entrypoint:f(e.CLAUDE_CODE_ENTRYPOINT),sessionId:f(e.CLAUDE_CODE_SESSION_ID),wrapperId:f(e.CLAUDE_SESSION_ID),role:f(e.CLAUDE_SESSION_ROLE),mode:ms(e.CLAUDE_SESSION_MODE),missionId:f(e.MISSION_EXECUTION_ID),projectPath:f(e.PROJECT_PATH),compactWindow:Ne(e.CLAUDE_CODE_AUTO_COMPACT_WINDOW),attended:ps(e),pane:f(e.TMUX_PANE),tmux:f(e.TMUX),envFile:f(e.CLAUDE_ENV_FILE),pluginRoot:f(e.CLAUDE_PLUGIN_ROOT),ownRoot:(0,Ie.resolve)(__dirname,"..",".."),env:e,teammateCommand:f(e.CLAUDE_CODE_TEAMMATE_COMMAND),clientProgram:f(e.CLAUDE_CODE_EXECPATH),multiplexer:f(e.SWARM_MULTIPLEXER)??f(e.CLAUDE_CODE_TEAMMATE_MODE),kitty:{socket:f(e.KITTY_LISTEN_ON),mode:f(e.SWARM_KITTY_MODE)},named:{team:f(e.CLAUDE_CODE_TEAM_NAME),agent:f(e.CLAUDE_CODE_AGENT_NAME),agentId:f(e.CLAUDE_CODE_AGENT_ID),agentType:f(e.CLAUDE_CODE_AGENT_TYPE),leadId:f(e.CLAUDE_CODE_TEAM_LEAD_ID)},clientFlags:{teams:f(e.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS),taskTools:f(e.CLAUDE_CODE_ENABLE_TODO_TOOLS)},taskList:f(e.CLAUDE_CODE_TASK_LIST_ID),atm:{team:f(e.ATM_TEAM),identity:f(e.ATM_IDENTITY)},fleetId:f(e.AGENT_ID),keepAlive:e.SWARM_KEEP_ALIVE==="true",path:e.PATH??"",noColour:f(e.NO_COLOR)!==void 0,nodeVersion:process.versions.node,system:`${process.platform} ${process.arch}`,knowsModes:process.platform!=="win32",extraCertificates:f(e.NODE_EXTRA_CA_CERTS),disabled:new Set(e.SWARM_DISABLE?.split(/[\s,]+/).filter(Boolean)),entry:process.argv[2]}}var cs=e=>Ne(e.CLAUDE_PID)??process.ppid;function ds(e){let t=f(e.HOME)??f(e.USERPROFILE)??ls();return{home:t,base:f(e.CLAUDE_CONFIG_DIR)??(0,Ie.resolve)(t,".claude"),atmHome:f(e.ATM_HOME)??t,tmp:f(e.TMPDIR)??f(e.TEMP)??f(e.TMP)??"/tmp"}}function ls(){let{homedir:e}=require("node:os");return e()}function Kt(e){try{return process.cwd()}catch(t){if(t.code!=="ENOENT")throw t;return e}}var f=e=>e===void 0||e.trim()===""?void 0:e;function us(e=""){let[t,n=""]=e.split("_"),r=n.split("-").slice(0,3).map(Number);return t==="claude-code"&&r.length===3&&r.every(Number.isInteger)?r.join("."):void 0}function Ne(e){let t=Number(e);return Number.isSafeInteger(t)&&t>1?t:void 0}function ms(e){return e==="mission"||e==="background"?e:"interactive"}function ps(e){let t=e.CLAUDE_CODE_SESSION_ATTENDED;return t==="1"?!0:t==="0"?!1:void 0}function zt(e,t,n,r){let s=e.session_id??"";return Ut({payload:e,named:t.named,atm:t.atm,record:()=>n(),native:()=>Jt(t.places,{session:s,clientPid:t.clientPid,pane:t.pane}),settings:()=>({team:r()["core.default_team"],identity:r()["core.identity"]})})}var O=$fs;var fs=64*1024*1024,gs=64*1024,Gt=2,hs=1365;function qt(){let e=ue().stdin??xs();if(e.length>fs)throw new Error(`the input has ${e.length} characters, too many`);return e}function xs(){try{return(0,O.readFileSync)(0,"utf8")}catch(e){let{code:t}=e;if(t==="EOF"||t==="EBADF"||t==="ENXIO")return"";if(t!=="EAGAIN")throw e;return ys()}}function ys(){let e=[];for(let t=Buffer.alloc(gs);;)try{let n=(0,O.readSync)(0,t);if(n===0)return Buffer.concat(e).toString("utf8");e.push(Buffer.from(t.subarray(0,n)))}catch(n){if(n.code!=="EAGAIN")throw n;B(Gt)}}function De(e,t){if(t.length<=hs&&Ht(()=>(0,O.writeFileSync)(e,t)))return;let n=Buffer.from(t,"utf8");for(let r=0;r<n.length;)r+=bs(e,n,r)}function bs(e,t,n){let r=t.length-n;return Ht(()=>{r=(0,O.writeSync)(e,t,n)})?r:0}function Ht(e){try{return e(),!0}catch(t){let{code:n}=t;if(n==="EPIPE"||n==="EBADF")return!0;if(n!=="EAGAIN")throw t;return B(Gt),!1}}var L=e=>Object.assign(new Error(e),{isCall:!0});function Qt(e){try{let{words:t,flags:n,help:r}=ws(e),s=r?{text:e.usage}:e.run(Ss(t,n));s instanceof Promise?s.then(i=>Vt(i,n.json)).catch(i=>Yt(e.usage,i)):Vt(s,n.json)}catch(t){Yt(e.usage,t)}}function Vt(e,t){if(!e)return;let n=t?JSON.stringify(e.data??{text:e.text},null,2):e.text;n&&De(1,`${n}
`),process.exitCode=e.exitCode??0}function Yt(e,t){let n=t instanceof Error?t.message:String(t),r=t?.isCall===!0;De(2,`swarm: ${n}
${r?`usage: ${e.split(`
`)[0]}
`:""}`),process.exitCode=r?2:1}function ws(e){let t={...e.flags,json:{type:"boolean"},help:{type:"boolean",short:"h"}};try{let{values:n,positionals:r}=(0,Zt.parseArgs)({args:process.argv.slice(2),options:t,allowPositionals:!0}),{help:s,...i}=n;return{words:r,flags:i,help:s===!0}}catch(n){throw L(n.message.split(". ")[0]??"bad call")}}function Ss(e,t){let n=Bt(),s=t["session-id"]??n.sessionId,i=Kt(n.places.home),o=Lt(n.places,i,n.projectDir),a=()=>s?vt(n.places,{session:s}):void 0;return{...n,cwd:i,words:e,flags:t,session:s,loaded:o,get identity(){return zt({session_id:s},Ts(n,a()),a,()=>o.values)},stdin:qt,readInput:c=>ks((0,Xt.resolve)(i,c))}}function ks(e){let t=F(e);if(t===void 0)throw L(`there is no file ${e}`);return t}var Ts=(e,t)=>t?.team&&t.agent?{...e,named:{},atm:{}}:e;var en=(e,t)=>{let{members:n,...r}=rt(e,t);return{...tn(r),members:Array.isArray(n)?n.flatMap(Es):[]}};function Es(e){if(typeof e!="object"||e===null)return[];let{pid:t,...n}=e,r={...tn(n),...typeof t=="number"?{pid:t}:{}};return r.name?[r]:[]}var tn=e=>Object.fromEntries(Object.entries(e).filter(t=>typeof t[1]=="string"));function he(e,t){let n=Q(e,t);return fe(t)?D(n,en):$(n,en)}var xe=$path;var Ps=["input_tokens","cache_creation_input_tokens","cache_read_input_tokens"];function nn(e,t=!1){let n=e.split(`
`);for(let r=n.length-1;r>=0;r--){let s=vs(n[r]??"");if(!s||s.isSidechain===!0&&!t)continue;if(s.subtype==="compact_boundary")return rn(s.compactMetadata?.postTokens);let i=s.type==="assistant"?_s(s.message?.usage):0;if(i>0)return i}}var _s=e=>Ps.reduce((t,n)=>t+(rn(e?.[n])??0),0),rn=e=>typeof e=="number"&&Number.isFinite(e)&&e>0?e:void 0;function vs(e){if(!(!e.startsWith("{")||!/"usage"|"compact_boundary"/.test(e)))try{return JSON.parse(e)}catch{return}}var sn=[8*1024,64*1024,4*1024*1024],ac=sn[1];function on(e){let{agent_transcript_path:t,agent_id:n,session_id:r,transcript_path:s}=e;return t||(!n||!s||A(n)||A(r)?s:(0,xe.join)((0,xe.dirname)(s),r,"subagents",`agent-${n}.jsonl`))}function an(e){if(!e)return;let t=/[\\/]subagents[\\/]/.test(e);for(let n of sn){let r=q(e,n),s=nn(r?.text??"",t);if(s!==void 0||!r||r.size<=n)return s}}var As="main",$s=b({window:U,tokens:I,percent:I,model:d,at:h}),Ms=(e,t)=>$(ut(e,t),$s);var Os=b({said:U,compactsAt:I,remindedAt:d,summedUpTo:d}),Ls=(e,t,n)=>$(mt(e,t,n),Os)??{said:0};function cn(e,t,n){let{session_id:r,agent_id:s=As}=t,i=r?an(on(t)):void 0;if(i===void 0)return;let o=Ns(e,{session:r,agent:s},n,i);return o?{tokens:i,window:o,share:100*i/o}:void 0}function Ns(e,t,{setting:n,compactWindow:r,isMeasured:s=!0},i){let o=[()=>s?Ms(e,t.session)?.window:void 0,()=>n,()=>r,()=>s?Ls(e,t.session,t.agent).compactsAt:void 0];for(let a of o){let c=a();if(c&&c>=i)return c}}var dn=$fs;var xc=512*1024,Re=e=>e.toISOString().slice(0,10);var Is=864e5,Ds=400,ln=96*1024*1024;function un(e,t,n){let r=[],s=ln;for(let i=n.getTime(),o=0;o<Ds&&s>0;i-=Is,o++){let a=Re(new Date(i));if(a<Re(t))break;let{lines:c,bytes:u}=fn(pt(e,a),s);r.push(c.flatMap(Cs)),s-=u}return r.reverse().flat().sort(mn)}var mn=(e,t)=>e.at<t.at?-1:e.at>t.at?1:0,pn=(e,t)=>fn(bt(e),ln).lines.flatMap(js).filter(({at:n})=>Date.parse(n)>=t.getTime()).sort(mn);function fn(e,t){let n=[`${e}.1`,e].filter(s=>(0,dn.existsSync)(s)).map(s=>q(s,t)?.text??""),r=n.reduce((s,i)=>s+i.length,0);return{lines:n.flatMap(s=>s.split(`
`).flatMap(Rs)),bytes:r}}function Rs(e){if(e==="")return[];try{return[JSON.parse(e)]}catch{return[]}}var R=(e,t)=>typeof e[t]=="string"?e[t]:"",Ce=e=>typeof e=="object"&&e!==null&&!Array.isArray(e);function Cs(e){if(!Ce(e)||Number.isNaN(Date.parse(R(e,"at"))))return[];let n=Object.fromEntries(["id","at","event","session","agent","feature","what"].map(r=>[r,R(e,r)]));return[{...e,...n}]}function js(e){if(!Ce(e))return[];let t=Ce(e.source)?R(e.source,"kind"):"";return[{type:R(e,"type"),agent:R(e,"agent"),team:R(e,"team"),session:R(e,"session_id"),at:R(e,"received_at"),source:t}]}var ne=$fs;var ye=e=>e.replace(/[\u0000-\u001f\u007f-\u009f]+/g," ").trim();var hn=b({author:h,text:h,timestamp:h}),Fs=b({state:d,comments:v(_(hn)),lease:v(b({session:d,at:h})),createdBy:d,createdAt:d}),Js=b({subject:h,description:et,activeForm:d,owner:d,status:h,blocks:_(h),blockedBy:_(h),metadata:v(b({swarm:gn(Fs)})),comments:v(_(gn(hn)))});function gn(e){return(t,n)=>{try{return v(e)(t,n)}catch{return}}}var Us={blocked:"pending",in_review:"in_progress"},xn=e=>(t,n)=>{let{owner:r="",comments:s,...i}=Js(t,n),o=ye(r),a={...i,id:e,...o?{owner:o}:{}},c=Us[a.status],u={...c?{state:a.status}:{},...s?{comments:s.filter(l=>l!==void 0)}:{}};return Object.keys(u).length>0?Bs({...a,status:c??a.status},u):a},Ws=e=>e.metadata?.swarm??{},Bs=(e,t)=>({...e,metadata:{...e.metadata,swarm:{...Ws(e),...t}}});var Ks=(e,t,n)=>D(yt(e,t,n),xn(n)),yn=(e,t)=>zs(ve(e,t)).flatMap(n=>Ks(e,t,n)??[]);function zs(e){try{return(0,ne.readdirSync)(e).flatMap(n=>n.match(/^([1-9]\d{0,8})\.json$/)?.[1]??[]).sort((n,r)=>Number(n)-Number(r))}catch(t){if(k(t))return[];throw t}}var bn=$fs;var wn=v(nt),Gs=b({name:h,agentId:d,agentType:d,model:d,color:d,joinedAt:wn,cwd:d,sessionId:d,pid:I,pidStartedAt:d,paneId:d,backend:d,socket:d,log:d,permissionMode:d,status:d,lastSeen:d,prompt:d}),Jc=b({name:d,description:d,createdAt:wn,leadAgentId:d,leadSessionId:d,status:d,suspendedAt:d,resumedAt:d,members:_(Gs)});function Sn(e){try{return(0,bn.readdirSync)(le(e),{withFileTypes:!0}).flatMap(n=>n.isDirectory()&&!A(n.name)?n.name:[])}catch(t){if(k(t))return[];throw t}}var C=e=>typeof e=="string"?e:JSON.stringify(e)??"";var qs=new Set(["answered","dead","relayed","refused"]),Hs=3e4;function Tn(e){if(typeof e!="object"||e===null||Array.isArray(e))return;let t=e,n=t.text??t.content;if(typeof n=="string")return{...t,id:kn(t.id,t.msg_id,t.message_id),from:kn(t.from)||"unknown",text:n,timestamp:Vs(t.timestamp),read:t.read===!0}}var kn=(...e)=>e.find(t=>typeof t=="string"&&t!=="")??"";function Vs(e){if(typeof e=="string")return e;let t=typeof e=="number"?new Date(e):void 0;return t&&!Number.isNaN(t.getTime())?t.toISOString():""}function je(e,t){return qs.has(e.state)?e.state:e.read?"shown":Ys(e,t)?"claimed":"queued"}function Ys({claim:e},t){let n=Date.parse(e?.at??"");return Math.abs(t.getTime()-n)<Hs}var Xs=/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,re=e=>Zs(e).replace(/\r\n?/g,`
`).replace(Xs,"");var Zs=e=>e.toWellFormed();var Qs=160,Fe=4e3,Y=new Map([["deny","denied"],["ask","asked"],["warn","warned"]]),eo=new Set(["mail-delivered","report","teammate-idle","member-ended"]),to=new Set(["state","session-start","session-end","member-state","member-crashed"]),no=new Set(["id","at","event","session","agent","feature","what"].concat(["team","name","kind","list","who"]));function En(e,t){if(eo.has(e.what))return;let n={at:Date.parse(e.at),agent:t};return Y.get(e.what)?{...n,...ro(e)}:e.task!==void 0?{...n,...oo(e)}:e.what==="context-level"?{...n,kind:"context",head:`context at ${e.share} %`}:{...n,kind:to.has(e.what)?"state":"note",...io(e)}}function ro(e){let t=y(e.rule,80)||e.feature,n=[e.tool,e.input].filter(Boolean).join(" "),r=[e.reason,n&&`Asked for: ${n}`,e.id&&`swarm explain ${e.id}`];return{kind:"decision",head:y(`${t}: ${so(C(e.reason??Y.get(e.what)))}`),text:be(r.filter(Boolean).join(`

`)),tone:e.what,rule:t}}var so=e=>e.split(/(?<=[.!?])\s|\n/)[0]??"";function oo(e){let{what:t,owner:n,comment:r}=e,s=C(t).replace(/^task-/,"").replaceAll("-"," "),i=n?` (${n})`:"";return{kind:"task",head:y(`#${e.task} ${e.subject??""}: ${s}${i}`),text:r?be(C(r)):void 0,tone:y(e.status,20)||void 0}}function io(e){let t=Object.entries(e).filter(([s,i])=>!no.has(s)&&s!==e.what&&i!==void 0&&i!=="").map(([s,i])=>`${s}: ${typeof i=="string"?i:JSON.stringify(i)}`),n=e.what==="state"?C(e.state??""):e.what.replaceAll("-"," "),r=y([n,...t].join(" \xB7 "));return{head:r,text:r.endsWith("\u2026")?be(t.join(`
`)):void 0}}function Pn(e,t,n){let r=be(e.text),s=y(e.summary??r.split(`
`).find(i=>i.trim()!=="")??"");return{at:Date.parse(e.timestamp),kind:"message",agent:y(e.from,80),to:t,head:s||"(empty)",text:r===s?void 0:r,tone:je(e,n)}}function y(e,t=Qs){let n=e==null?"":ye(re(C(e)));return n.length>t?`${n.slice(0,t-1).trimEnd()}\u2026`:n}var be=e=>{let t=re(e).trim();return t.length>Fe?`${t.slice(0,Fe)}
\u2026 (${t.length-Fe} more characters)`:t};function _n(e,t){let n=new Map,r=(s,i,o)=>n.set(s,{...n.get(s),...ao({team:i,name:o})});for(let{session:s,team:i,agent:o}of e)r(s,i,o);for(let s of t)s.agent==="main"&&(s.name||s.team)&&s.feature==="sessions"&&r(s.session,s.team,s.name);return n}var ao=e=>Object.fromEntries(Object.entries(e).filter(([,t])=>typeof t=="string"&&t!=="")),co=new Set(["member-crashed","member-state"]);function vn(e,t){let n=t.get(e.session),r=String(e.team??e.list??n?.team??"")||void 0;return co.has(e.what)?{team:r,name:String(e.name??"")||void 0}:e.event==="command"||e.what==="member-ended"?{team:r,name:e.agent}:{team:r,name:ge(e.agent)??n?.name}}function we({team:e,name:t},n,r){let s=y(t,60)||y(n.slice(0,8))||"you";return r||!t||!e?s:`${s}@${y(e,60)}`}var An=({event:e,agent:t,what:n})=>e!=="command"&&t!=="main"&&n!=="member-ended"&&ge(t)===void 0;function $n(e,t,n){let r=[];return e.forEach((s,i)=>{let o=Math.max(s.at,t),a=Math.min(e[i+1]?.at??n,n);if(a<=o)return;let c=r.at(-1);c?.state===s.state&&c.to===o?c.to=a:r.push({state:s.state,from:o,to:a})}),r.filter(({state:s})=>s!=="gone")}function Se(e,t,n,r){if(e.length<=r)return[...e];let s=(n-t)/r,i=[],o=0;for(let a=0;a<r;a++){let[c,u]=[t+a*s,t+(a+1)*s],l=new Map;for(;o<e.length&&(e[o]?.to??0)<=c;)o++;for(let S=o;S<e.length&&(e[S]?.from??n)<u;S++){let{state:G,from:Ee,to:dr}=e[S];l.set(G,(l.get(G)??0)+Math.min(dr,u)-Math.max(Ee,c))}let[p]=[...l].sort((S,G)=>G[1]-S[1])[0]??[],x=i.at(-1);x&&x.state===p&&x.to===c?x.to=u:p&&i.push({state:p,from:c,to:u})}return i}var lo=new Map(Object.entries({working:"working",idle:"idle",waiting:"waiting",ended:"gone"}));function Mn(e){return e.what==="state"?e.state==="failed"?fo(e):lo.get(String(e.state)):e.what==="member-state"?mo.get(String(e.state)):uo.get(e.what)}var uo=new Map(Object.entries({"session-start":"idle","teammate-idle":"idle","session-end":"gone","member-ended":"gone","member-crashed":"gone"})),mo=new Map(Object.entries({silent:"silent",gone:"gone","rate-limited":"limited"})),po=/rate_limit|overloaded|usage_limit/,fo=({failure:e})=>po.test(String(e??""))?"limited":"failed",go=new Map(Object.entries({"session-start":"idle",stop:"idle","teammate-idle":"idle","notification-idle-prompt":"idle","permission-request":"waiting","session-end":"gone"})),On=({type:e})=>go.get(e);function Ln(e,t){let n=e.flatMap(r=>{let s=Math.max(Date.parse(r.at),t);if(r.what==="compact-end")return[{at:s,share:0}];let i=Number(r.share);return r.what==="context-level"&&Number.isFinite(i)?[{at:s,share:i}]:[]});return n.filter(({at:r},s)=>r>t||(n[s+1]?.at??Number.POSITIVE_INFINITY)>t)}var ho=512*1024;function Nn(e,t,n){let r=new Map;for(let s of Ve(ht(e,t,n),ho).split(`
`)){let i=xo(s);i&&r.set(i.id,{...r.get(i.id),...i})}return[...r.values()].filter(s=>typeof s.text=="string")}function xo(e){try{return JSON.parse(e)}catch{return}}var hd=12*1024*1024;var Dn=(e,t,n)=>yo(ft(e,t,n)).flatMap(({message:r})=>r??[]);var In=_(tt),yo=e=>(D(e,In)??$(e,In)??[]).map(t=>({entry:t,message:Tn(t)}));function Cn({places:e,now:t},n,r,s){let i=o=>s?o:`${o}@${y(n,60)}`;return bo(e,n).flatMap(o=>{let a=i(y(o,60)),c=[...Nn(e,n,o),...Dn(e,n,o)];return wo(c).map(u=>Pn(u,a,t)).map(u=>({...u,agent:i(u.agent)})).filter(u=>u.at>=r&&u.at<=t.getTime())})}function bo(e,t){let n=Z(gt(e,t)).flatMap(s=>Rn(s,".json")),r=Z(xt(e,t)).flatMap(s=>Rn(s,".jsonl"));return[...new Set([...n,...r])].filter(s=>!A(s)).sort()}var Rn=(e,t)=>e.endsWith(t)?[e.slice(0,-t.length)]:[];function wo(e){return[...new Map(e.map((n,r)=>[n.id||`no id ${r}`,n])).values()]}var jn=2e4;function Jn(e,t,n){let r=t===void 0?Sn(e.places):[t],s=So(e,t,n),i=r.flatMap(u=>Cn(e,u,s.from,t!==void 0)),a=[...s.lines.flatMap(u=>Date.parse(u.at)<s.from?[]:En(u,u.who)??[]),...i].sort((u,l)=>u.at-l.at),c={...s,...Eo(s,a)};return{title:t??"this machine",from:c.from,to:c.to,zone:-e.now.getTimezoneOffset(),lanes:Po(e,c,a),entries:a.slice(-jn),tasks:r.flatMap(u=>Mo(e,u,t!==void 0)),leftOut:Math.max(0,a.length-jn)}}function So({places:e,now:t},n,r){let s=un(e,r,t),i=At(e),o=_n(i,s),a=l=>n===void 0||l===n,c=n!==void 0,u=new Set(s.map(({session:l})=>l));return{team:n,from:r.getTime(),to:t.getTime(),lines:s.flatMap(l=>{let p=vn(l,o);return a(p.team)?{...l,who:we(p,l.session,c)}:[]}),records:i.flatMap(l=>{let p=o.get(l.session)??{};return a(p.team)?{...l,who:we(p,l.session,c)}:[]}),events:pn(e,r).flatMap(l=>a(l.team)&&!(l.source==="claude_hook"&&u.has(l.session))?{...l,who:we({team:l.team,name:l.agent},l.session,c)}:[])}}var ko=.02,To=6e4;function Eo({from:e,to:t,lines:n,records:r,events:s},i){let o=[...n,...s].map(({at:x})=>Date.parse(x)).concat(i.map(({at:x})=>x)),a=o.reduce((x,S)=>Math.min(x,S),t),c=o.reduce((x,S)=>Math.max(x,S),a),l=r.some(x=>!x.endedAt&&Le({pid:x.pid,startedAt:x.pidStartedAt})!=="gone")||o.length===0?t:c,p=Math.max(To,(l-a)*ko);return{from:Math.max(e,a-p),to:Math.min(t,l+p)}}function Po(e,t,n){let r=Fn(_o(t),({agent:p})=>p),s=Fn(t.lines,({who:p})=>p),i=t.team===void 0?void 0:he(e.places,t.team),o=(i?.members??[]).map(({name:p})=>y(p,60)),a=[...r].filter(([,p])=>p.some(({at:x,state:S})=>x>=t.from||S!=="gone")),c=t.team===void 0?[]:n.filter(({kind:p})=>p==="message"),u=new Set([...o,...a.map(([p])=>p),...c.map(({agent:p})=>p)]),l=Ao(t,i?.members??[]);return[...u].map(p=>{let x=(r.get(p)??[]).sort((G,Ee)=>G.at-Ee.at),S=Ln(s.get(p)??[],t.from);return{agent:p,role:p===V?"lead":l.get(p)??"",spans:$n(x,t.from,t.to),levels:[...S,...$o(e,t,p,S)]}}).sort((p,x)=>+(x.role==="lead")-+(p.role==="lead"))}function Fn(e,t){let n=new Map;for(let r of e){let s=n.get(t(r));s?s.push(r):n.set(t(r),[r])}return n}function _o({lines:e,records:t,events:n,to:r}){let s=e.flatMap(o=>{let a=An(o)?void 0:Mn(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]}),i=n.flatMap(o=>{let a=On(o);return a?[{at:Date.parse(o.at),agent:o.who,state:a}]:[]});return[...s,...i,...vo(e,t,r)]}function vo(e,t,n){let r=new Set(t.map(({session:o})=>o)),s=t.filter(o=>!o.endedAt&&!o.next).filter(o=>Le({pid:o.pid,startedAt:o.pidStartedAt})==="gone").map(o=>({at:Date.parse(o.lastSeen),agent:o.who,state:"gone"})),i=new Map;for(let o of e)o.event!=="command"&&o.session&&!r.has(o.session)&&i.set(o.session,{at:Math.min(n,Date.parse(o.at)+1),agent:o.who,state:"gone"});return[...s,...i.values()]}function Ao({records:e},t){return new Map([...t.map(({name:n,agentType:r})=>[y(n,60),y(r,60)]),...e.flatMap(({who:n,role:r,isLead:s})=>s?[[n,"lead"]]:r?[[n,y(r,60)]]:[])])}function $o(e,t,n,r){let s=t.records.findLast(({who:u,endedAt:l,next:p})=>u===n&&!l&&!p);if(!s?.transcript||Date.parse(s.lastSeen)<t.from)return[];let i={session_id:s.session,transcript_path:s.transcript},o={setting:e.loaded.values["context.window"],compactWindow:e.compactWindow},a=cn(e.places,i,o)?.share,c=Math.max(Date.parse(s.lastSeen),r.at(-1)?.at??0);return a===void 0?[]:[{at:c,share:Math.floor(a)}]}function Mo({places:e},t,n){let r=s=>n?`#${s}`:`${y(t,40)} #${s}`;return yn(e,t).map(({id:s,subject:i,status:o,owner:a,blockedBy:c})=>({id:r(s),subject:y(i),status:y(o,20),owner:y(a,60),blockedBy:c.map(u=>r(y(u,12)))}))}var Oo={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;","'":"&#39;"},g=e=>re(C(e)).replace(/[&<>"']/g,t=>Oo[t]??t),Wn=e=>JSON.stringify(e).replaceAll("<","\\u003c").replaceAll("\u2028","\\u2028").replaceAll("\u2029","\\u2029"),Un=e=>String(e).padStart(2,"0");function z(e,t){let n=new Date(e+t*6e4).toISOString();return{day:n.slice(0,10),time:n.slice(11,16)}}function Bn(e){if(e===0)return"UTC";let t=Math.abs(e);return`UTC${e<0?"\u2212":"+"}${Un(Math.floor(t/60))}:${Un(t%60)}`}function ke(e){let t=Math.round(e/1e3);if(t<60)return`${t} s`;let n=Math.round(t/60);if(n<60)return`${n} min`;let r=Math.floor(n/60),s=(i,o,a,c)=>a>0?`${i} ${o} ${a} ${c}`:`${i} ${o}`;return r<48?s(r,"h",n%60,"min"):s(Math.floor(r/24),"d",r%24,"h")}var N=(e,t,n=`${t}s`)=>`${e} ${e===1?t:n}`;var rr=require("node:crypto");var Je=`(() => {
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
})();`;var Te=12,Lo=500,se=(e,t,n)=>`<li><a href="#${e}"><b>${g(t)}</b><span>${g(n)}</span></a></li>`;function zn(e){let{lanes:t,entries:n,tasks:r}=e,s=l=>n.filter(p=>p.kind===l),i=s("message"),o=i.filter(({tone:l})=>l==="queued"||l==="claimed").length,a=s("decision").filter(({tone:l})=>l==="deny").length,c=r.filter(({status:l})=>l==="completed").length,u=t.flatMap(({agent:l,levels:p})=>p.map(({share:x})=>({agent:l,share:x}))).reduce((l,p)=>p.share>l.share?p:l,{agent:"",share:0});return`<ul class="facts">${[se("timeline",t.length,`${t.length===1?"agent":"agents"}, ${No(e)} of work`),se("mail",i.length,`${i.length===1?"message":"messages"}, ${o} unread`),se("tasks",`${c}/${r.length}`,"tasks completed"),se("decisions",s("decision").length,`decisions, ${a} denied`),se("timeline",u.share>0?`${u.share} %`:"\u2013",`fullest context ${u.agent}`.trim())].join("")}</ul>`}var No=({lanes:e})=>ke(e.flatMap(({spans:t})=>t).reduce((t,{state:n,from:r,to:s})=>n==="working"?t+s-r:t,0)),Kn={working:"working",idle:"idle",waiting:"waiting for somebody",limited:"rate limited",failed:"turn broke off",silent:"silent"};function Gn(e){let t=new Set(e.lanes.flatMap(({spans:o})=>o.map(({state:a})=>a))),n=Object.keys(Kn).filter(o=>t.has(o)),r=o=>`<svg width="14" height="12" aria-hidden="true">${o}</svg>`,s=o=>e.entries.some(a=>a.kind===o);return`<ul class="legend">${[...n.map(o=>[`<rect class="s-${o}" y="2" width="14" height="8" rx="2"/>`,Kn[o]]),...s("message")?[['<g class="mail"><line x1="7" x2="7" y1="0" y2="9"/><circle cx="7" cy="9" r="2.6"/></g>',"message"]]:[],...s("decision")?[['<circle class="d-deny" cx="7" cy="6" r="4"/>',"denied or asked"]]:[],...e.lanes.some(({levels:o})=>o.length>0)?[['<rect class="c-mid" y="5" width="14" height="3" rx="1"/>',"context filling"]]:[]].map(([o="",a=""])=>`<li>${r(o)}${a}</li>`).join("")}</ul>`}function qn(e,t){let n=new Map;for(let r of e){let s=t(r),i=n.get(s.join(`
`))??{key:s,n:0};n.set(s.join(`
`),{...i,n:i.n+1})}return[...n.values()].sort((r,s)=>s.n-r.n)}var Ue=(e,t,n="number")=>`<table><thead><tr>${e.map((r,s)=>`<th${s===e.length-1?` class="${n}"`:""} scope="col">${r}</th>`).join("")}</tr></thead><tbody>${t.map(r=>`<tr>${r.map((s,i)=>`<td${i===r.length-1?` class="${n}"`:""}>${s}</td>`).join("")}</tr>`).join("")}</tbody></table>`,Hn=e=>e.length>Te?`<p class="empty">and ${e.length-Te} more</p>`:"";function Vn({entries:e,lanes:t}){let n=e.filter(({kind:o})=>o==="message");if(n.length===0)return'<p class="empty">Nobody has written.</p>';let r=qn(n,({agent:o,to:a=""})=>[o,a]),s=new Set(r.flatMap(({key:o})=>o));if(s.size<=Io)return Co(r,Ro(s,t));let i=r.slice(0,Te).map(({key:o,n:a})=>[...o.map(g),String(a)]);return Ue(["from","to","messages"],i)+Hn(r)}var Io=6,Do=4,Ro=(e,t)=>[...new Set([...t.map(({agent:n})=>n).filter(n=>e.has(n)),...e])];function Co(e,t){let n=Math.max(...e.map(({n:o})=>o)),r=(o,a)=>{let c=e.find(({key:l})=>l[0]===o&&l[1]===a)?.n;return`<td${c?` class="h${Math.ceil(Do*c/n)}"`:""}>${c??(o===a?"":"\xB7")}</td>`},s=t.map(o=>`<th scope="col">${g(o)}</th>`).join(""),i=t.map(o=>`<tr><th scope="row">${g(o)}</th>${t.map(a=>r(o,a)).join("")}</tr>`);return`<table class="square"><thead><tr><th scope="col"><small>from \u2193 to \u2192</small></th>${s}</tr></thead><tbody>${i.join("")}</tbody></table>`}function Yn({entries:e}){let t=qn(e.filter(({kind:r})=>r==="decision"),({rule:r="",tone:s="",agent:i})=>[r,s,i]);if(t.length===0)return'<p class="empty">No rule had to speak.</p>';let n=t.slice(0,Te).map(({key:[r="",s="",i=""],n:o})=>[g(r),g(i),`<span class="tone t-${g(s)}">${Y.get(s)??""}</span>`,String(o)]);return Ue(["rule","agent","","times"],n)+Hn(t)}function Xn({tasks:e}){if(e.length===0)return'<p class="empty">No tasks on the list.</p>';let t=e.slice(-Lo),n=new Set(e.flatMap(({id:o,status:a})=>a==="completed"?o:[])),r=o=>{let a=o.filter(c=>!n.has(c));return a.length>0?` <small>waits for ${g(a.join(", "))}</small>`:""},s=t.map(({id:o,subject:a,owner:c,status:u,blockedBy:l})=>[g(o),g(a)+r(l),g(c),`<span class="tone t-${g(u)}">${g(u.replace("_"," "))}</span>`]),i=e.length-t.length;return`${jo(e)}${Ue(["","task","owner","status"],s)}${i>0?`<p class="empty">and ${N(i,"older task")}</p>`:""}`}function jo(e){let t=s=>100*e.filter(i=>i.status===s).length/e.length,[n,r]=[t("completed"),t("in_progress")];return`<svg class="bar" role="img" aria-label="${Math.round(n)} % completed"><rect class="open" width="100%" height="6" rx="3"/><rect class="doing" width="${(n+r).toFixed(2)}%" height="6" rx="3"/><rect class="done" width="${n.toFixed(2)}%" height="6" rx="3"/></svg>`}var Zn=["message","task","decision","context","state","note"];var We=`
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
`;var er=400,Fo=1500,Jo=6,X=26,Uo=46,Wo=26,Bo=16,Ke=e=>e>Bo?Wo:Uo,Ko={working:.52,waiting:.34,limited:.34,failed:.34,silent:.2,idle:.09,gone:0},zo=({from:e,to:t,lanes:n})=>({from:e,to:t,lane:Ke(n.length)}),j=(e,{from:t,to:n})=>ze(100*(e-t)/Math.max(1,n-t)),ze=e=>Math.round(e*100)/100,Be=(e,{lane:t})=>X+e*t+t/2;function tr(e){let t=zo(e),n=X+e.lanes.length*t.lane;return[`<svg id="picture" width="100%" height="${n}" role="img" aria-label="States of ${e.lanes.length} agents over time">`,Ho(e,t,n),...e.lanes.map((r,s)=>`<g class="lane">${Vo(r,s,t)}${Yo(r,s,t)}</g>`),`<g class="mail">${Xo(e,t)}</g>`,`<g class="dots">${ei(e,t)}</g>`,`<line id="cursor" x1="0" x2="0" y1="${X-6}" y2="${n}" visibility="hidden"/>`,"</svg>"].join("")}var Go=[1,2,5,10,15,30,60,120,180,360,720,1440,2880,10080,20160,43200],Qn=7;function qo(e,t,n){let r=(t-e)/6e4,s=(Go.find(c=>r/c<=Qn)??86400)*6e4,i=n*6e4,o=Math.ceil((e+i)/s)*s-i,a=Math.max(0,Math.floor((t-o)/s)+1);return Array.from({length:Math.min(a,Qn+1)},(c,u)=>o+u*s)}function Ho(e,t,n){let r=e.to-e.from>1728e5;return`<g class="axis">${qo(e.from,e.to,e.zone).map(i=>{let o=j(i,t),{day:a,time:c}=z(i,e.zone),u=o<4?"start":o>96?"end":"middle",l=r||c==="00:00"?a.slice(5):c;return`<line class="tick" x1="${o}%" x2="${o}%" y1="${X-6}" y2="${n}"/><text class="time" x="${o}%" y="13" text-anchor="${u}">${l}</text>`}).join("")}</g>`}function Vo({agent:e,spans:t},n,r){return Se(t,r.from,r.to,er).map(({state:s,from:i,to:o})=>{let a=j(i,r),c=Math.max(.15,ze(j(o,r)-a)),u=Math.max(2,Math.round(Ko[s]*r.lane)),l=Be(n,r)-u/2;return`<rect class="s-${s}" x="${a}%" y="${l}" width="${c}%" height="${u}" rx="2"><title>${g(e)}: ${s}</title></rect>`}).join("")}function Yo({agent:e,levels:t},n,r){return t.slice(-er).map(({at:s,share:i},o,a)=>{if(i<=0)return"";let c=j(s,r),u=j(Math.max(a[o+1]?.at??r.to,s),r),l=i>=90?"high":i>=75?"mid":"low",p=i>=90?4:i>=75?3:2,x=X+(n+1)*r.lane-4-p;return`<rect class="c-${l}" x="${c}%" y="${x}" width="${ze(Math.max(.3,u-c))}%" height="${p}" rx="1"><title>${g(e)}: context at ${i} %</title></rect>`}).join("")}function Xo({lanes:e,entries:t},n){let r=new Map(e.map(({agent:i},o)=>[i,o])),s=t.flatMap(({kind:i,agent:o,to:a,at:c})=>{let[u,l]=[r.get(o),r.get(a??"")];return i==="message"&&u!==void 0&&l!==void 0&&u!==l?[{a:u,b:l,at:c}]:[]});return Zo(s,n,Fo,({a:i,b:o})=>`${i} ${o}`).map(({a:i,b:o,at:a})=>{let c=j(a,n),[u,l]=[Be(i,n),Be(o,n)];return`<line x1="${c}%" x2="${c}%" y1="${u}" y2="${l}"/><circle cx="${c}%" cy="${l}" r="2.6"/>`}).join("")}function Zo(e,{from:t,to:n},r,s){let i=new Set(e.map(s)).size,o=Math.max(1,Math.min(1e3,Math.floor(r/Math.max(1,i)))),a=new Map;for(let c of e)a.set(`${s(c)} ${Math.floor(o*(c.at-t)/Math.max(1,n-t))}`,c);return[...a.values()].slice(-r)}var Qo=["warn","ask","deny"];function ei({lanes:e,entries:t},n){let r=new Map(e.map(({agent:o},a)=>[o,a])),s=new Map,i=({tone:o})=>Qo.indexOf(o??"");for(let o of t){if(o.kind!=="decision"||!r.has(o.agent))continue;let a=`${o.agent} ${Math.floor(10*j(o.at,n)/Jo)}`,c=s.get(a);(!c||i(o)>=i(c))&&s.set(a,o)}return[...s.values()].map(o=>{let a=X+(r.get(o.agent)??0)*n.lane+8;return`<circle class="d-${g(o.tone??"")}" cx="${j(o.at,n)}%" cy="${a}" r="4"><title>${g(o.agent)}: ${g(o.head)}</title></circle>`}).join("")}var Ge="<!-- a report by swarm -->",nr=e=>`'sha256-${(0,rr.createHash)("sha256").update(e).digest("base64")}'`,ti=`default-src 'none'; style-src ${nr(We)}; script-src ${nr(Je)}; base-uri 'none'; form-action 'none'`,ni=400;function sr(e){return`<!doctype html>
${Ge}
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ti}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${g(e.title)}: swarm report</title>
<style>${We}</style>
</head>
<body>
<main>
${ri(e)}
${zn(e)}
${si(e)}
<div class="pair">
<section id="mail"><h2>Who wrote to whom</h2>${Vn(e)}</section>
<section id="decisions"><h2>Which rules spoke</h2>${Yn(e)}</section>
</div>
<section id="tasks"><h2>Tasks</h2>${Xn(e)}</section>
${ii(e)}
<footer>Keys: <kbd>/</kbd> search, <kbd>\u2191</kbd> <kbd>\u2193</kbd> through the log, <kbd>Enter</kbd> opens; in the timeline <kbd>\u2190</kbd> <kbd>\u2192</kbd> move in time and <kbd>Enter</kbd> shows the moment in the log.</footer>
</main>
<script type="application/json" id="data">${Wn(ai(e))}</script>
<script>${Je}</script>
</body>
</html>
`}function ri({title:e,from:t,to:n,zone:r}){let[s,i]=[z(t,r),z(n,r)],o=s.day===i.day?i.time:`${i.day} ${i.time}`;return`<header><p class="brand">swarm report</p><h1>${g(e)}</h1><p>${s.day} ${s.time} \u2013 ${o} ${Bn(r)}, ${ke(n-t)}</p></header>`}function si(e){let{lanes:t}=e;if(t.length===0)return'<section id="timeline"><h2>Timeline</h2><p class="empty">Nobody was seen in this time.</p></section>';let n=t.map(({agent:s,role:i,spans:o})=>`<li class="label"><b title="${g(s)}">${g(s)}</b><span class="now">${g(i||(o.at(-1)?.state??"away"))}</span></li>`),r=Ke(t.length)<40?" many":"";return`<section id="timeline"><h2>Timeline<small>${N(t.length,"agent")}</small></h2>
<div class="timeline${r}"><ul class="labels">${n.join("")}</ul>
<div id="scrub" tabindex="0" role="slider" aria-label="Moment" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="1000">${tr(e)}</div></div>
<p id="moment"></p>${Gn(e)}</section>`}var oi={message:"Messages",task:"Tasks",decision:"Decisions",context:"Context",state:"States",note:"Notes"};function ii(e){let t=Zn.flatMap(i=>{let o=e.entries.filter(a=>a.kind===i).length;return o>0?`<button type="button" data-kind="${i}" aria-pressed="false">${oi[i]}<small>${o}</small></button>`:[]}),r=[...new Set(e.entries.flatMap(({agent:i,to:o})=>o?[i,o]:[i]))].sort().map(i=>`<option>${g(i)}</option>`);return`<section><h2 id="log-title">What happened${e.leftOut>0?`<small>${N(e.leftOut,"older entry","older entries")} not shown</small>`:""}</h2>
<div class="filters">${t.join("")}<select id="agent" aria-label="Agent"><option value="">Everybody</option>${r.join("")}</select><input id="words" type="search" placeholder="Search" aria-label="Search the log"></div>
<noscript><p class="empty">The log needs the script of this page.</p></noscript>
<ol id="log"></ol>
<div class="pages"><button type="button" id="earlier">Earlier</button><span id="count" role="status"></span><button type="button" id="later">Later</button></div></section>`}var ai=({from:e,to:t,zone:n,entries:r,lanes:s})=>({from:e,to:t,zone:n,tones:[...Y],entries:r,lanes:s.map(({spans:i})=>Se(i,e,t,ni).map(o=>[o.state,o.from,o.to]))});var ci={m:6e4,h:36e5,d:864e5,w:6048e5};function or(e,t){let n=(e??"24h").match(/^(\d{1,5})\s*([mhdw])$/),r=n?t.getTime()-Number(n[1])*(ci[n[2]??""]??0):/^\d{4}-\d\d-\d\d/.test(e??"")?Date.parse(e??""):Number.NaN;if(Number.isNaN(r))throw L("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");if(r>=t.getTime())throw L("--since lies in the future");return new Date(r)}var ar={team:{type:"string"},since:{type:"string"},out:{type:"string"},all:{type:"boolean"},"session-id":{type:"string"}};function cr(e){let{flags:t,now:n}=e;if(t.all&&t.team)throw L("--all and --team exclude each other");let r=li(e),s=Jn(e,r,or(t.since,n)),i=sr(s);if(t.out==="-")return{text:i};let o=(0,ir.resolve)(e.cwd,t.out??di(s)),a=Ye(o,200)?.text;if(a!==void 0&&!a.includes(Ge))throw L(`${o} is there and is no report; --out names another file`);Pt(o,i);let c={agents:s.lanes.length,entries:s.entries.length,tasks:s.tasks.length},l=`${`${N(c.agents,"agent")}, ${N(c.entries,"entry","entries")}, ${N(c.tasks,"task")}`}. Open it in a browser; it holds the messages' texts.`;return{text:`${o}
${l}`,data:{path:o,...c}}}function di({title:e,to:t,zone:n}){return`swarm-report-${A(e)?"machine":e.replaceAll(" ","-")}-${z(t,n).day}.html`}function li({flags:e,places:t,identity:n}){let r=e.all?void 0:e.team??n.team,s=r!==void 0&&!A(r)&&he(t,r)!==void 0;if(e.team!==void 0&&!s)throw L(`there is no team ${JSON.stringify(r)}; \`swarm list-teams\` shows those there are`);return s?r:void 0}Qt({usage:`swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h. --out - prints it.`,flags:ar,run:cr});
