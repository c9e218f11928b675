// What the reader is told before a request is sent that cannot be undone.
const FORGETS = "What it forgets is gone for good, everywhere.";
const PUBLISHES = "An anchored receipt is public, and cannot be taken back.";

const CONSEQUENCES: ReadonlyMap<string, string> = new Map([
  ["forgetMemory", FORGETS],
  ["forgetMemories", FORGETS],
  ["forgetByKey", FORGETS],
  ["resetDemo", "It deletes every memory, and restores the demo data and its policy."],
  ["importRecords", "It adds all records of the export, and may replace the policy."],
  ["putNamespace", "It replaces all settings of the namespace. To seal it forgets what is open in it."],
  ["revokeKey", "The key ends at once, with its sessions and streams."],
  ["rotateKey", "The old secret of the key ends at once, unless you give it a grace period."],
  ["anchorReceipt", PUBLISHES],
  ["anchorOnChain", PUBLISHES],
]);

/** Undefined when the request needs no second thought. */
export const consequenceOf = (operationId: string): string | undefined => CONSEQUENCES.get(operationId);

const SESSION_OPERATIONS: ReadonlySet<string> = new Set(["signIn", "signOut"]);

/** The app follows its own session only when it changes it itself. */
export const isTriable = (operationId: string): boolean => !SESSION_OPERATIONS.has(operationId);
