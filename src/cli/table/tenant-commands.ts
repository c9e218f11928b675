// The commands about tenants, with an operator's key.
import { TENANT_STATES } from "#core/identity/tenant.ts";
import { commandsOver, flag, PAGES, SERVICE, text } from "./command.ts";

const { tenant: _, ...OPERATOR } = SERVICE;
const ID = [{ name: "id" }] as const;

export const tenantCommands = commandsOver("service", OPERATOR, {
  "tenants create": {
    summary: "Make a tenant.",
    arguments: ID,
    details: "It begins empty. portcullis keys create --tenant makes its first admin's key.",
    examples: ["portcullis tenants create acme"],
  },
  "tenants list": {
    summary: "List the tenants, oldest first.",
    options: { state: text("<state>", TENANT_STATES.join(", "), { choices: TENANT_STATES }), ...PAGES },
    examples: ["portcullis tenants list --state active --all"],
  },
  "tenants show": {
    summary: "Show a tenant with its counts, or the tombstone of one that was deleted.",
    arguments: ID,
    examples: ["portcullis tenants show acme"],
  },
  "tenants suspend": {
    summary: "Let nobody act in a tenant. Its records stay.",
    arguments: ID,
    examples: ["portcullis tenants suspend acme"],
  },
  "tenants resume": {
    summary: "Let a suspended tenant go on.",
    arguments: ID,
    examples: ["portcullis tenants resume acme"],
  },
  "tenants delete": {
    summary: "Delete a tenant with everything in it, for good.",
    arguments: ID,
    options: {
      wait: flag("wait until everything is removed"),
      yes: flag("do not ask first; needed where there is no terminal", { short: "y" }),
    },
    details: `From the answer on nobody may act in it. The service removes its records in the background, also when this command is
ended. A signed tombstone with counts stays.`,
    examples: ["portcullis tenants delete acme --wait"],
  },
});
