// Where each command is. A module is loaded when its command runs, so that none pays for another.
import type { Runs } from "./invocation.ts";
import type { CommandName } from "./table/command-table.ts";

/** Help needs no module: the parser turns it into the help of what was asked for. */
export type RunnableName = Exclude<CommandName, "help">;

type Modules = { readonly [N in RunnableName]: () => Promise<{ readonly runs: Runs<N> }> };

const answers = () => import("./commands/answers.ts");
const memories = () => import("./commands/memories.ts");
const policy = () => import("./commands/policy.ts");
const receipts = () => import("./commands/receipts.ts");
const transfer = () => import("./commands/transfer.ts");
const service = () => import("./commands/service.ts");
const records = () => import("./commands/records.ts");
const backups = () => import("./commands/backups.ts");
const keys = () => import("./commands/keys.ts");
const signingKeys = () => import("./commands/signing-keys.ts");

export const commandModules: Modules = {
  chat: answers,
  recall: answers,
  remember: memories,
  memories: memories,
  forget: memories,
  policy: policy,
  "policy allow": policy,
  "policy revoke": policy,
  receipts: receipts,
  anchor: receipts,
  verify: () => import("./commands/verify.ts"),
  events: receipts,
  import: transfer,
  export: transfer,
  mcp: service,
  serve: service,
  health: service,
  fsck: records,
  backup: backups,
  restore: backups,
  prune: records,
  "blobs renew": records,
  "chain publish": () => import("./commands/publish-package.ts"),
  "keys create": keys,
  "keys list": keys,
  "keys rotate": keys,
  "keys revoke": keys,
  "signing-keys list": signingKeys,
  "signing-keys rotate": signingKeys,
  "signing-keys end": signingKeys,
  "encryption status": signingKeys,
  "encryption rotate": signingKeys,
  completion: () => import("./completion.ts"),
};
