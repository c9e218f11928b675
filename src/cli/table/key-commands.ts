// The commands about keys: those of callers, those that sign receipts, those that encrypt memories.
import { BESIDE, commandsOver, ONE_TENANT, OUTPUT, text } from "./command.ts";
import { FUTURE_TIME } from "./option-values.ts";

const PRINTED = "The key is printed to standard output once, and only its hash is kept.";
const KEY_ID = [{ name: "keyId" }] as const;

export const keyCommands = commandsOver("database", OUTPUT, {
  "keys create": {
    summary: "Make a key for a caller.",
    options: {
      name: text("<name>", "what the key is for"),
      role: text("<role>", "admin, admin:<namespace>,…, agent:<id>, auditor or operator"),
      captures: text("<namespace>", "a namespace that an agent may capture into; none unless named", {
        multiple: true,
      }),
      expires: text("<time>", "a time such as 2031-01-01T00:00:00Z", { as: "expiresAt", ...FUTURE_TIME }),
      ...ONE_TENANT,
    },
    details: `${PRINTED} Callers need keys when AUTH=keys is set. ${BESIDE}
It may also run before the first start: then it creates the database.`,
    examples: ["portcullis keys create --name planner --role agent:planner --captures travel"],
  },
  "keys list": {
    summary: "List the keys of callers, newest first.",
    options: ONE_TENANT,
    details: BESIDE,
    examples: ["portcullis keys list"],
  },
  "keys rotate": {
    summary: "Give a key another secret.",
    arguments: KEY_ID,
    options: { grace: text("<hours>", "how long the old secret stays valid, 24 at most (default: 0)"), ...ONE_TENANT },
    details: `${PRINTED} ${BESIDE}`,
    examples: ["portcullis keys rotate key_4fK2mZq81Lw --grace 1"],
  },
  "keys revoke": {
    summary: "End a key, its sessions and its streams.",
    arguments: KEY_ID,
    options: ONE_TENANT,
    details: BESIDE,
    examples: ["portcullis keys revoke key_4fK2mZq81Lw"],
  },
  "signing-keys list": {
    summary: "List the keys that sign receipts.",
    details: BESIDE,
    examples: ["portcullis signing-keys list"],
  },
  "signing-keys rotate": {
    summary: "Make a new key, which signs from now on.",
    details: `The old one stays valid for what it has signed. ${BESIDE} Every process follows within seconds.`,
    examples: ["portcullis signing-keys rotate"],
  },
  "signing-keys end": {
    summary: "End a signing key that leaked.",
    arguments: KEY_ID,
    details: `Nothing that is anchored from now on counts as signed by it, and its private half is forgotten. What was anchored before
stays valid. If it was the key that signs, a new one takes its place. ${BESIDE}`,
    examples: ["portcullis signing-keys end 5f0c3a5be4a54f3a9a7d1c7c7e0f2b11"],
  },
  "encryption status": {
    summary: "Count encrypted memories by the key that encrypts them.",
    details:
      "Superseded ones count, too. It reads the settings of the service (DATABASE_URL, ENCRYPTION_KEY…), and may run beside it.",
    examples: ["portcullis encryption status"],
  },
  "encryption rotate": {
    summary: "Wrap the keys of all encrypted memories with the ENCRYPTION_KEY of today.",
    details: `Set the new key as ENCRYPTION_KEY and the old one in ENCRYPTION_KEY_FORMER, start every replica of the service again, then run this.
It may run beside the service, and be run again when it was ended. When it says that all are done, the old key can be taken
out of ENCRYPTION_KEY_FORMER. Keep it as long as backups that need it.`,
    examples: ["portcullis encryption rotate"],
    exitCodes: [[1, "it failed, or the key of some memories is not configured"]],
  },
});
