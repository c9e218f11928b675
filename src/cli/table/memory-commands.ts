// The commands that ask, remember and forget.
import { AGENT, commandsOver, FILTERS, flag, PAGES, SERVICE, text } from "./command.ts";
import { ANY_TIME, COUNT, IN_QUERY, METADATA } from "./option-values.ts";

const CONFUSABLE = { "allow-confusable": flag("a new name may look like another (for admins)") } as const;

const NARROWED = {
  "as-of": text("<time>", "what was current on this day or at this time"),
  "min-relevance": text("<0…1>", "only memories with at least this relevance", {
    read: (given: string) => Number(given),
  }),
  "source-agent": text("<agent>", "only what this agent captured"),
  ...FILTERS,
} as const;

export const memoryCommands = commandsOver("service", SERVICE, {
  chat: {
    summary: "Ask as an agent, and get an answer with its receipt.",
    arguments: [{ name: "question", isOptional: true }],
    options: { ...AGENT, companion: flag("ask the health companion"), ...NARROWED },
    details: `The gate decides first which memories the agent may use. Without a question it is read from standard input. On a
terminal the answer appears while it is made. The answer goes to standard output, and what it rests on to standard error.`,
    examples: ['portcullis chat "What can I eat tonight?" --agent assistant'],
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first.",
    arguments: [{ name: "question", isOptional: true }],
    options: {
      ...AGENT,
      limit: text("<n>", "how many at most (default: RECALL_LIMIT of the service)", COUNT),
      ...NARROWED,
    },
    details: "For a model of your own. Without a question it is read from standard input. A receipt is put on record.",
    examples: ['portcullis recall "When does the flight to Lisbon leave?" --agent assistant'],
  },
  explain: {
    summary: "What an agent would be given for a question, and why; and why not the rest.",
    arguments: [{ name: "question", isOptional: true }],
    options: {
      ...AGENT,
      limit: text("<n>", "how many at most (default: RECALL_LIMIT of the service)", COUNT),
      memory: text("<memoryId>", "explain this memory in any case", { as: "memoryId" }),
    },
    details:
      "For admins. No model is asked and there is no receipt; the question is in the decision log, without its text.",
    examples: ['portcullis explain "When does the flight to Lisbon leave?" --agent planner'],
  },
  remember: {
    summary: "Capture a memory.",
    arguments: [{ name: "text", isOptional: true }],
    options: {
      namespace: text("<name>", "where it belongs"),
      agent: text("<id>", "the agent that it is from; an agent's key is its own", { as: "sourceAgent" }),
      "fact-key": text("<name>", "your name for the fact: a later one supersedes it", { as: "key" }),
      supersedes: text("<memoryId>", "the memory that it supersedes"),
      expires: text("<time>", "when it expires: 2031-01-31T12:00:00Z", { as: "expiresAt", ...ANY_TIME }),
      ttl: text("<seconds>", "the same, in seconds from now", COUNT),
      occurred: text("<time>", "when the fact holds: a day or a time", { as: "occurredAt" }),
      metadata: text("<name=value>", "a named value", METADATA),
    },
    details: "Without a text it is read from standard input. The id of the memory goes to standard output.",
    examples: ['portcullis remember "Prefers window seats." --namespace travel --agent planner'],
  },
  learn: {
    summary: "Find the facts in a conversation, to propose, review or store them.",
    arguments: [{ name: "file", isOptional: true, isPath: true }],
    options: {
      agent: text("<id>", "the agent that they are from; an agent's key is its own", { as: "agentId" }),
      namespace: text("<name>", "where they may go (default: where the key may write)", {
        as: "namespaces",
        multiple: true,
      }),
      default: text("<name>", "where those go that fit none", { as: "defaultNamespace" }),
      "user-name": text("<name>", 'what to call the user (default: "The user")'),
      "include-assistant": flag("also read what the assistant said of the user"),
      mode: text("<mode>", "propose (the default), review or store", { choices: ["propose", "review", "store"] }),
    },
    details: `The file has messages as JSON: [{"role":"user","content":"I live in Porto.","at":"2026-05-01T10:00:00Z"}], or an object
with such a list as its member messages. Those of other roles than user and assistant are not read. Without a file it is
read from standard input. A long conversation is read in parts.`,
    examples: ["portcullis learn chat.json --agent assistant --namespace travel"],
  },
  "proposals list": {
    summary: "List the proposals that wait in namespaces that you govern, newest first.",
    options: { namespace: text("<name>", "only those of this namespace"), ...PAGES },
    examples: ["portcullis proposals list --namespace travel"],
  },
  "proposals accept": {
    summary: "Store proposals as memories of their agents.",
    arguments: [{ name: "proposalId", isRepeated: true }],
    options: {
      content: text("<text>", "store this in place of the proposed text"),
      namespace: text("<name>", "store it there"),
    },
    details: "The ids of the memories go to standard output.",
    examples: ["portcullis proposals accept prop_01k9b0zv3e5kq2w8r7t6y5x4n3"],
  },
  "proposals decline": {
    summary: "Decline proposals. Their texts are removed.",
    arguments: [{ name: "proposalId", isRepeated: true }],
    examples: ["portcullis proposals decline prop_01k9b0zv3e5kq2w8r7t6y5x4n3"],
  },
  memories: {
    summary: "List memories, newest first, or show one.",
    arguments: [{ name: "memoryId", isOptional: true }],
    options: {
      namespace: text("<name>", "only those of this namespace"),
      "source-agent": text("<agent>", "only what this agent captured"),
      search: text("<text>", "only those that contain this text", { as: "q" }),
      "view-as": text("<agent>", "only what this agent may use now"),
      before: text("<time>", "only what was captured before this day or time", { as: "createdBefore", ...ANY_TIME }),
      superseded: flag("superseded memories", IN_QUERY),
      ...FILTERS,
      ...PAGES,
    },
    examples: ["portcullis memories --namespace travel", "portcullis memories --all --json > memories.ndjson"],
  },
  forget: {
    summary: "Forget memories, for good and everywhere.",
    arguments: [{ name: "memoryId", isOptional: true, isRepeated: true }],
    options: {
      namespace: text("<name>", "only memories of this namespace"),
      "source-agent": text("<agent>", "only what this agent captured"),
      before: text("<time>", "only what was captured before this day or time", ANY_TIME),
      ...FILTERS,
      reason: text("<text>", "kept in the tombstones: do not quote what is forgotten"),
      "dry-run": flag("count what would be forgotten, and forget nothing"),
      yes: flag("do not ask first (on a terminal)", { short: "y" }),
    },
    details: `Name memories, or say which: --namespace, --source-agent, --before or another filter, or several. Signed tombstones stay, and
public receipts that quote them. A run that was interrupted goes on when it is started again.`,
    examples: ["portcullis forget --source-agent planner --before 2026-01-31 --dry-run"],
  },
  policy: {
    summary: "Show who may use what.",
    options: { agent: text("<id>", "only this agent"), namespace: text("<name>", "only this namespace") },
    details: "What the table does not name is closed.",
    examples: ["portcullis policy --agent assistant"],
  },
  "policy allow": {
    summary: "Let an agent use a namespace.",
    arguments: [{ name: "agent" }, { name: "namespace" }],
    options: { ...CONFUSABLE },
    examples: ["portcullis policy allow assistant travel"],
  },
  "policy revoke": {
    summary: "Close a namespace to an agent, at once.",
    arguments: [{ name: "agent" }, { name: "namespace" }],
    details: "It also holds for answers in progress.",
    examples: ["portcullis policy revoke assistant health"],
  },
  "policy remove": {
    summary: "Remove a rule: the namespace is closed, as if nobody had opened it.",
    arguments: [{ name: "agent" }, { name: "namespace" }],
    details: "It is final as a revoke is.",
    examples: ["portcullis policy remove assistant health"],
  },
  "policy apply": {
    summary: "Set the rules of a file.",
    arguments: [{ name: "file", isOptional: true, isPath: true }],
    options: { ...CONFUSABLE },
    details: `The file has one rule a line: {"agentId":"assistant","namespace":"travel","allowed":true}; false revokes, and null removes
the rule. Or it has what portcullis policy --json prints. Without a file it is read from standard input. Each 1,000 rules
are one change of the policy: all of them, or none.`,
    examples: ["portcullis policy apply rules.ndjson"],
  },
});
