// The commands about receipts and what happens, and those that move records.
import { PRODUCTS } from "#core/transfer/foreign-memories.ts";
import { commandsOver, FILTERS, flag, PAGES, SERVICE, text } from "./command.ts";
import { IN_QUERY } from "./option-values.ts";

const { json: _, ...HOST } = SERVICE;

export const HOOK_HOSTS = ["claude-code", "codex", "gemini-cli", "cursor"] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

export const receiptCommands = {
  ...commandsOver("service", SERVICE, {
    receipts: {
      summary: "List receipts, newest first, or show one.",
      arguments: [{ name: "answerId", isOptional: true }],
      options: {
        agent: text("<id>", "only answers to this agent", { as: "agentId" }),
        namespace: text("<name>", "only those that used it, or that it was closed to"),
        anchored: text("<yes|no>", "only those that are, or are not", { choices: ["yes", "no"] }),
        status: text("<status>", "begun, issued or broken-off", { choices: ["begun", "issued", "broken-off"] }),
        ...PAGES,
      },
      examples: ["portcullis receipts --agent assistant", "portcullis receipts ans_01k9b0zv3e5kq2w8r7t6y5x4n3 --json"],
    },
    anchor: {
      summary: "Anchor a receipt on the ledger, where others can verify it.",
      arguments: [{ name: "answerId" }],
      options: {
        blob: flag("store it as a blob alone, and put nothing on the ledger"),
        sealed: flag("publish commitments in place of its private fields"),
        claim: text("<namespace>", "a namespace to claim (default: all used)", {
          as: "claimNamespaces",
          multiple: true,
        }),
      },
      details:
        "On Sui each anchor costs gas. Without --sealed the receipt is public, the beginnings of memories included.",
      examples: ["portcullis anchor ans_01k9b0zv3e5kq2w8r7t6y5x4n3 --sealed"],
    },
    proof: {
      summary: "Write all that proves an answer into one file, which is verified offline.",
      arguments: [{ name: "answerId" }],
      options: {
        out: text("<file>", "where to write it (default: standard output)", { isPath: true }),
        disclose: text("<field>", "a field to open, such as /agentId, or all", { multiple: true }),
        question: text("<text>", "the question, to open it with --disclose"),
        filters: text("<json>", "the filters of the request, to open them with --disclose"),
        answer: text("<text>", "the answer, to open it with --disclose"),
        "full-node": text("<url>", "the full node of Sui to ask"),
      },
      details: `The file has the receipt, its proof in the transparency log, the objects of the ledger, the blobs, and what you disclose
of the private fields: nothing else than anybody can fetch, unless you say so. Of an answer that is not anchored it has the
sealed receipt, and nothing of a ledger. docs/proof.md describes it.`,
      examples: ["portcullis proof ans_01k9b0zv3e5kq2w8r7t6y5x4n3 --out answer.json"],
    },
    verify: {
      summary: "Verify an anchored receipt, or a file of portcullis proof.",
      arguments: [{ name: "receiptId", isPath: true }],
      options: {
        "trust-package": text("<id>", "the package that you trust", { as: "packageId" }),
        "trust-key": text("<keyId>", "a signing key that you trust", { as: "keyIds", multiple: true }),
        witnesses: text("<file>", "the logs and witnesses that you trust (tlog-policy)", { isPath: true }),
        checkpoint: text("<file>", "a checkpoint of the log that you got elsewhere", { isPath: true }),
        deep: flag("derive every blob id from its bytes, which takes seconds"),
        opening: text("<file>", "an opening that you hold", { isPath: true }),
        "full-node": text("<url>", "the full node of Sui to ask"),
      },
      details: `Name it by its id on the ledger, by its answer's, or by the file, which is verified without any network. This machine fetches the objects and the blobs and checks them itself:
the service's verdict is not asked for. It says which package is its own, and keeps the ledger and the blobs if they are
local.`,
      examples: [
        "portcullis verify ans_01k9b0zv3e5kq2w8r7t6y5x4n3",
        "portcullis verify answer.json --trust-key 3f2c… --witnesses policy.txt",
      ],
      exitCodes: [
        [1, "a check could not be made"],
        [6, "a check failed"],
      ],
    },
    events: {
      summary: "Show what happens, as it happens. Ctrl-C ends it.",
      options: {
        after: text("<id>", "go on after this event; the service keeps those of 24 hours", { as: "lastEventId" }),
      },
      details: "It reconnects by itself. Events hold ids and names, and no text.",
      examples: ["portcullis events --json"],
    },
    import: {
      summary: "Import memories from a file, or a whole export.",
      arguments: [{ name: "file", isPath: true }],
      options: {
        from: text("<product>", "a file of another product", { choices: PRODUCTS }),
        "namespace-map": text("<old=new>", "with --from: another name for a namespace", { multiple: true }),
        agent: text("<id>", "with --from: the agent that the memories are from; an agent's key is its own"),
        "trust-key": text("<keyId>", "the key that signed the export, if the service does not know it", { as: "key" }),
        "replace-policy": flag("replace the service's policy with the exported one", {
          as: "policy",
          read: () => "replace" as const,
        }),
        "dry-run": flag("check every line, and record nothing", IN_QUERY),
      },
      details: `The file has one JSON object a line: {"namespace", "content", "sourceAgent"}. A line that is not a fact is reported, and
the others are imported. Every fact that is reported as imported is on record. A file that portcullis export wrote is
recognized by its first line, and imported as a whole: ids stay, and nothing is added twice. An export needs an admin's key.
--from reads what another product exports, says what goes where and what is lost, and imports it; with --dry-run it only
says so. Of basic-memory, the file may be a folder of notes.`,
      examples: ["portcullis import facts.ndjson", "portcullis import all.ndjson --trust-key <keyId>"],
      exitCodes: [[1, "a line failed"]],
    },
    export: {
      summary: "Export everything that you may read, signed.",
      options: {
        out: text("<file>", "the file to write, which must not exist (default: standard output)", { isPath: true }),
        namespace: text("<name>", "only what is in this namespace"),
        "source-agent": text("<agent>", "only what this agent captured, was allowed and was answered"),
        ...FILTERS,
        decrypt: flag("encrypted memories as plain text; such an export cannot be imported", IN_QUERY),
      },
      details: `Memories, policy, receipts and decisions, one a line as JSON. An admin's export has everything but the keys that sign and
the keys of callers. What is on a local ledger is in a backup (portcullis backup), and not in an export.`,
      examples: ["portcullis export --out all.ndjson"],
    },
  }),
  ...commandsOver("service", HOST, {
    mcp: {
      summary: "Serve one agent over MCP, on standard input and output.",
      options: { agent: text("<id>", "the agent that an admin's key acts as; an agent's key is its own") },
      details: "For hosts such as Claude Desktop, which start it themselves. No tool changes the policy.",
      examples: ["PORTCULLIS_KEY=portcullis_… portcullis mcp"],
    },
    hook: {
      summary: "Print the settings with which a host of agents remembers across sessions.",
      arguments: [{ name: "host", choices: HOOK_HOSTS }],
      options: {
        "session-start": flag("what the settings run when a session begins: print memories"),
        "session-end": flag("what the settings run when a session ends: have its facts reviewed"),
        agent: text("<id>", "the agent that an admin's key acts as; an agent's key is its own"),
        namespace: text("<name>", "where facts may go (default: where the key may write)", { multiple: true }),
        default: text("<name>", "where those go that fit none"),
      },
      details: `Merge them into ~/.claude/settings.json, ~/.codex/hooks.json, ~/.gemini/settings.json or ~/.cursor/hooks.json. A session
then begins with the memories that the agent may use, and ends with proposals for review. When the service is away, a
session goes on without it: the exit code of what the settings run is 0, always.`,
      examples: ["portcullis hook claude-code --key-file ~/.portcullis-key"],
      exitCodes: [[0, "done, or, in a session, not: a session never fails for it"]],
      failureCode: (args) => (args.some((arg) => arg.startsWith("--session-")) ? 0 : undefined),
    },
  }),
} as const;
