// Loaded by `node --require`: the most memory the process ever held, in KB, as one line at the end of the file SWARM_MEMORY names.
process.on("exit", () => {
  require("node:fs").appendFileSync(process.env.SWARM_MEMORY, `${process.resourceUsage().maxRSS}\n`);
});
