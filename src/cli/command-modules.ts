// Where each command is. A module is loaded when its command runs, so that none pays for another.
import type { Runs } from "./invocation.ts";
import type { CommandName } from "./table/command-table.ts";

/** Help needs no module: the parser turns it into the help of what was asked for. */
export type RunnableName = Exclude<CommandName, "help">;

type Modules = { readonly [N in RunnableName]: () => Promise<{ readonly runs: Runs<N> }> };

function of<N extends RunnableName>(load: () => Promise<{ readonly runs: Runs<N> }>, ...names: readonly N[]) {
  return Object.fromEntries(names.map((name) => [name, load])) as Pick<Modules, N>;
}

export const commandModules: Modules = {
  ...of(() => import("./commands/answers.ts"), "chat", "recall"),
  ...of(() => import("./commands/memories.ts"), "remember", "memories", "forget"),
  ...of(() => import("./commands/policy.ts"), "policy", "policy allow", "policy revoke"),
  ...of(() => import("./commands/policy.ts"), "policy remove", "policy apply"),
  ...of(() => import("./commands/receipts.ts"), "receipts", "anchor", "events"),
  ...of(() => import("./commands/verify.ts"), "verify"),
  ...of(() => import("./commands/transfer.ts"), "import", "export"),
  ...of(() => import("./commands/service.ts"), "mcp", "serve", "health"),
  ...of(() => import("./commands/database/records.ts"), "fsck", "prune", "blobs renew"),
  ...of(() => import("./commands/database/backups.ts"), "backup", "restore"),
  ...of(() => import("./commands/publish-package.ts"), "chain publish"),
  ...of(() => import("./commands/keys.ts"), "keys create", "keys list", "keys rotate", "keys revoke"),
  ...of(() => import("./commands/signing-keys.ts"), "signing-keys list", "signing-keys rotate", "signing-keys end"),
  ...of(() => import("./commands/signing-keys.ts"), "encryption status", "encryption rotate"),
  ...of(() => import("./commands/log/witness.ts"), "witness"),
  ...of(() => import("./commands/tenants.ts"), "tenants create", "tenants list", "tenants show"),
  ...of(() => import("./commands/tenants.ts"), "tenants suspend", "tenants resume", "tenants delete"),
  ...of(() => import("./completion.ts"), "completion"),
};
