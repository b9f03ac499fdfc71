import { isMainThread } from "node:worker_threads";
import { serveBridge } from "../lib/machines/bridge-worker.ts";
import { RELAY_FLAGS, relayVerb } from "../lib/machines/commands.ts";
import { runCommand } from "../lib/run/command.ts";

if (!isMainThread) serveBridge();
else
  runCommand({
    usage: `swarm relay join URL --team TEAM | leave | status | sync | config --team TEAM | serve --team TEAM
A team on several machines, over a NATS server with JetStream. Without a relay nothing is loaded and nobody is called.
join     nats://host:4222 or tls://…; several with commas. [--machine NAME] [--creds FILE | --token-file FILE] [--ca FILE] [--replicas 3]
         brings the team to the relay, or from there to this machine; the secret is kept in your own settings, 0600
leave    takes this machine out of the team [--team TEAM]
status   connection, outbox, lead, machines and their age, clock, server [--team TEAM]
sync     one round by hand: what is written goes out, what is there comes in; beside a courier it waits for that one's round
config   prints a server's configuration with one user a machine --machine a --machine b [--listen HOST:PORT] [--store DIR]
         and keeps the credentials; --provision URL sets a running server up for the team
serve    starts the installed nats-server with it, in the foreground`,
    flags: RELAY_FLAGS,
    run: relayVerb,
  });
