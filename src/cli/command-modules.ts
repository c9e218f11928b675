// Where each command is. A module is loaded when its command runs, so that none pays for another.
import type { Run } from "./invocation.ts";
import type { CommandName } from "./table/command-table.ts";

/** Help needs no module: the parser turns it into the help of what was asked for. */
export type RunnableName = Exclude<CommandName, "help">;

type Modules = { readonly [N in RunnableName]: () => Promise<{ readonly run: Run<N> }> };

export const commandModules: Modules = {
  chat: () => import("./commands/memories/chat.ts"),
  recall: () => import("./commands/memories/recall.ts"),
  remember: () => import("./commands/memories/remember.ts"),
  memories: () => import("./commands/memories/memories.ts"),
  forget: () => import("./commands/memories/forget.ts"),
  policy: () => import("./commands/policy/show.ts"),
  "policy allow": () => import("./commands/policy/allow.ts"),
  "policy revoke": () => import("./commands/policy/revoke.ts"),
  receipts: () => import("./commands/receipts/receipts.ts"),
  anchor: () => import("./commands/receipts/anchor.ts"),
  verify: () => import("./commands/receipts/verify.ts"),
  events: () => import("./commands/receipts/events.ts"),
  import: () => import("./commands/transfer/import.ts"),
  export: () => import("./commands/transfer/export.ts"),
  mcp: () => import("./commands/mcp.ts"),
  serve: () => import("./commands/operate/serve.ts"),
  health: () => import("./commands/operate/health.ts"),
  fsck: () => import("./commands/operate/fsck.ts"),
  backup: () => import("./commands/operate/backup.ts"),
  restore: () => import("./commands/operate/restore.ts"),
  prune: () => import("./commands/operate/prune.ts"),
  "blobs renew": () => import("./commands/operate/renew-blobs.ts"),
  "chain publish": () => import("./commands/operate/publish-package.ts"),
  "keys create": () => import("./commands/keys/create.ts"),
  "keys list": () => import("./commands/keys/list.ts"),
  "keys rotate": () => import("./commands/keys/rotate.ts"),
  "keys revoke": () => import("./commands/keys/revoke.ts"),
  "signing-keys list": () => import("./commands/keys/list-signing-keys.ts"),
  "signing-keys rotate": () => import("./commands/keys/rotate-signing-key.ts"),
  "signing-keys end": () => import("./commands/keys/end-signing-key.ts"),
  "seal status": () => import("./commands/keys/seal-status.ts"),
  "seal rotate": () => import("./commands/keys/rotate-seal-key.ts"),
  completion: () => import("./commands/completion.ts"),
};
