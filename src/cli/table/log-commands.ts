// The commands about logs of answers. They work on what anyone may read.
import { commandsOver, flag, OUTPUT, SERVICE, text } from "./command.ts";
import { COUNT } from "./option-values.ts";

export const logCommands = commandsOver("nothing", OUTPUT, {
  witness: {
    summary: "Run a witness: it cosigns the checkpoints of logs.",
    arguments: [{ name: "folder", isPath: true }],
    options: {
      name: text("<name>", "of the witness: its address without https://"),
      logs: text("<file>", "the logs that it knows, a line each: log <key>", { isPath: true }),
      host: text("<address>", "where it listens (default: 127.0.0.1)"),
      port: text("<n>", "0 for any that is free (default: 8100)"),
    },
    details: `It speaks C2SP tlog-witness: POST /add-checkpoint, and GET /<SHA-256 of the origin>/checkpoint. A tree is cosigned only if
it continues the one before, which is on disk first. The folder is made at the first start, with a new key. Never bring back
an older copy of it: the witness would sign another tree. It prints its key, as a line of a policy (tlog-policy).`,
    examples: ["portcullis witness state --name witness.example.com --logs logs.txt"],
  },
  monitor: {
    summary: "Follow the transparency log of a service: nothing that was shown is taken back.",
    talksTo: "service",
    arguments: [{ name: "url" }],
    options: {
      state: text("<folder>", "what it has seen, for the next time", { isPath: true }),
      "log-key": text("<key>", "of the log; otherwise the first one that the service names"),
      witnesses: text("<file>", "who must have cosigned: a policy (tlog-policy)", { isPath: true }),
      delay: text("<seconds>", "LOG_DELAY of the service (default: 60)", COUNT),
      follow: flag("go on until Ctrl-C"),
      interval: text("<seconds>", "between passes (default: 60)", COUNT),
      metrics: text("<port>", "serve metrics for alerts on 127.0.0.1, at /metrics"),
      "key-file": SERVICE["key-file"],
      tenant: SERVICE.tenant,
    },
    details: `Without a key it checks what anyone can: the signature, and that each tree continues the one before. With the key of an
auditor it reads all entries and compares them with what is on record. What it has seen is on disk before it reports: keep the
folder, one for each log and tenant. Two checkpoints that contradict each other are in its evidence.txt.`,
    examples: ["portcullis monitor https://memory.example --state seen"],
    exitCodes: [
      [1, "evidence of misbehaviour"],
      [2, "it could not check"],
    ],
    failureCode: 2,
  },
});
