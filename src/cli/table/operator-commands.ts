// The commands of whoever runs the service: those about tenants, with an operator's key, and those that read its settings
// and work on its database.
import { TENANT_STATES } from "#core/identity/tenant.ts";
import { BESIDE, commandsOver, EACH_TENANT, flag, HELP, OUTPUT, PAGES, SERVICE, text } from "./command.ts";
import { PAST_TIME } from "./option-values.ts";

const { tenant: _, ...OPERATOR } = SERVICE;
const ID = [{ name: "id" }] as const;

export const operatorCommands = {
  ...commandsOver("service", OPERATOR, {
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
  }),
  ...commandsOver("database", HELP, {
    serve: {
      summary: "Start the service.",
      options: {
        secure: flag("callers need a key; the first start prints the first keys, once"),
        version: flag("the version"),
      },
      examples: ["portcullis serve --secure"],
    },
  }),
  ...commandsOver("database", OUTPUT, {
    health: {
      summary: "Check that the service on this machine answers.",
      talksTo: "nothing",
      details: "For a container's health check. It reads the settings of the service (HOST, PORT, TLS_CERT).",
      examples: ["portcullis health"],
    },
    fsck: {
      summary: "Check the records for contradictions.",
      options: { deep: flag("also derive blob ids of Walrus, and ask Sui for every anchor"), ...EACH_TENANT },
      details: `It changes nothing. It derives every digest and blob id again, replays the policy's change log and the local ledger, compares receipts with
their search columns and counts, and compares anchors with the ledger. It reads the settings of the service (DATABASE_URL,
SUI_…), and may run beside it: it reads one snapshot. It refuses a database of an older version, and never upgrades one.
Each difference is one line, and never holds the text of a memory. Tenants are checked one after the other, each with a
line or a JSON document of its own.`,
      examples: ["portcullis fsck --json"],
      exitCodes: [
        [1, "something differs"],
        [2, "it could not check"],
      ],
      failureCode: 2,
    },
    backup: {
      summary: "Copy an SQLite database while the service runs.",
      arguments: [{ name: "folder", isPath: true }],
      options: { fsck: flag("also check the copy, as portcullis fsck does") },
      details: `The folder must be new. It gets the key of the local ledger, too. The copy is one consistent snapshot: every write that was acknowledged before the command began
is in it. Files are readable by their owner alone, and on disk when the command ends. portcullis restore puts a backup in
place. For PostgreSQL use pg_dump: see docs/operate.md.`,
      examples: ["portcullis backup /backups/today --fsck"],
    },
    restore: {
      summary: "Restore an SQLite database from a backup.",
      arguments: [{ name: "folder", isPath: true }],
      options: { replace: flag("move an existing database aside, as <file>.replaced-<time>") },
      details: `DATABASE_URL names the database. It refuses while a service runs on it. A backup has the policy of its time: a revoke that
was acknowledged later is not in it. With --replace, each gate that the restore opens again is printed as one line of JSON,
for POST /api/policy, which closes it; a line with a tenant is for that tenant, without the word. Keys that were revoked or rotated since stay so. All sessions end. With
<database>.schema-<n> as the folder it goes back to the database as it was before an upgrade.`,
      examples: ["portcullis restore /backups/today --replace > revokes.ndjson"],
    },
    prune: {
      summary: "Move old receipts and decisions to files.",
      options: {
        before: text("<time>", "older than this: 2026-01-01 or 2026-01-01T12:00:00Z", PAST_TIME),
        export: text("<folder>", "where to write them first (default: RETAIN_EXPORT); none discards them", {
          isPath: true,
        }),
        "dry-run": flag("count them, and change nothing"),
        ...EACH_TENANT,
      },
      details: `They are written first, and then removed from the records. Anchored receipts stay, and so do memories, the policy and its change log. The files are JSON lines, compressed with gzip,
readable by their owner alone; those of a tenant beside default are in a folder of its id. A file of SQLite does not shrink: its free pages are used again. ${BESIDE}`,
      examples: ["portcullis prune --before 2026-01-01 --export /archive --dry-run"],
    },
    "blobs renew": {
      summary: "Store blobs again before their leases end.",
      options: {
        "older-than": text("<hours>", "skip blobs stored within so many hours (default: 12)"),
        ...EACH_TENANT,
      },
      details: `Those of every memory and anchored receipt. An interrupted run continues where it stopped when it is started again.
It reads the settings of the service (DATABASE_URL, BLOBSTORE_…), and may run beside it.`,
      examples: ["portcullis blobs renew"],
      exitCodes: [[1, "a blob could not be renewed"]],
    },
    "chain publish": {
      summary: "Publish the Move package of Portcullis on Sui.",
      talksTo: "nothing",
      options: {
        network: text("<name>", "mainnet, testnet, devnet or localnet", {
          choices: ["mainnet", "testnet", "devnet", "localnet"],
        }),
        "dry-run": flag("say what it would cost, and send nothing"),
        keystore: text("<file>", "the key that signs and pays (default: SUI_KEYSTORE, or the Sui command line's)", {
          isPath: true,
        }),
        address: text("<0x…>", "the key of the keystore to use (default: SUI_ADDRESS)"),
        "policy-owner": text("<0x…>", "who gets the PolicyCap (default: the signer)"),
        names: text("<kind>", "pseudonyms hide agents and namespaces, for ever (default: plain)", {
          choices: ["plain", "pseudonyms"],
        }),
        upgradeable: flag("keep the UpgradeCap, whose holder can change the rules"),
        url: text("<url>", "the full node (default: SUI_URL, or the network's public one)"),
      },
      details: `It prints the settings for the service. The signer keeps the AnchorCap, because the service signs with its key. The
package is made immutable, so that nobody can change its rules, unless --upgradeable is given. docs/sui.md has the costs,
and a walk through testnet.`,
      examples: ["portcullis chain publish --network testnet --dry-run"],
    },
  }),
} as const;
