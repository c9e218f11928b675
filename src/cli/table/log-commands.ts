// The commands about logs of answers. They work on what anyone may read.
import { commandsOver, OUTPUT, text } from "./command.ts";

export const logCommands = commandsOver("nothing", {
  witness: {
    summary: "Run a witness: it cosigns the checkpoints of logs.",
    arguments: [{ name: "folder", isPath: true }],
    options: {
      name: text("<name>", "of the witness: its address without https://"),
      logs: text("<file>", "the logs that it knows, a line each: log <key>", { isPath: true }),
      host: text("<address>", "where it listens (default: 127.0.0.1)"),
      port: text("<n>", "0 for any that is free (default: 8100)"),
      ...OUTPUT,
    },
    details: `It speaks C2SP tlog-witness: POST /add-checkpoint, and GET /<SHA-256 of the origin>/checkpoint. A tree is cosigned only if
it continues the one before, which is on disk first. The folder is made at the first start, with a new key. Never bring back
an older copy of it: the witness would sign another tree. It prints its key, as a line of a policy (tlog-policy).`,
    examples: ["portcullis witness state --name witness.example.com --logs logs.txt"],
  },
});
