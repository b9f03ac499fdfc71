// Everything that talks to the relay, in a bundle of its own with the client library: `swarm relay`, which is also the courier, and the
// bridge for other verbs.
export { serveBridge } from "./bridge-worker.ts";
export { relayVerb } from "./relay-verb.ts";
