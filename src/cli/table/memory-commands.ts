// The commands that ask, remember and forget.
import { AGENT, type Command, PAGES, SERVICE } from "./command.ts";

export const memoryCommands = {
  chat: {
    summary: "Ask as an agent, and get an answer with its receipt.",
    talksTo: "service",
    arguments: [{ name: "question", isOptional: true }],
    options: {
      ...AGENT,
      companion: { type: "boolean", summary: "ask the health companion" },
      ...SERVICE,
    },
    details: `The gate decides first which memories the agent may use. Without a question it is read from standard input. On a
terminal the answer appears while it is made. The answer goes to standard output, and what it rests on to standard error.`,
    examples: ['portcullis chat "What can I eat tonight?" --agent assistant'],
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first.",
    talksTo: "service",
    arguments: [{ name: "question", isOptional: true }],
    options: {
      ...AGENT,
      limit: { type: "string", value: "<n>", summary: "how many at most (default: RECALL_LIMIT of the service)" },
      ...SERVICE,
    },
    details: "For a model of your own. Without a question it is read from standard input. A receipt is put on record.",
    examples: ['portcullis recall "When does the flight to Lisbon leave?" --agent assistant'],
  },
  remember: {
    summary: "Capture a memory.",
    talksTo: "service",
    arguments: [{ name: "text", isOptional: true }],
    options: {
      namespace: { type: "string", value: "<name>", summary: "where it belongs" },
      agent: { type: "string", value: "<id>", summary: "the agent that it is from; an agent's key is its own" },
      "fact-key": { type: "string", value: "<name>", summary: "your name for the fact: a later one takes its place" },
      supersedes: { type: "string", value: "<memoryId>", summary: "the memory whose place it takes" },
      expires: { type: "string", value: "<time>", summary: "never recalled from then on: 2031-01-31T12:00:00Z" },
      ttl: { type: "string", value: "<seconds>", summary: "the same, in seconds from now" },
      ...SERVICE,
    },
    details: "Without a text it is read from standard input. The id of the memory goes to standard output.",
    examples: ['portcullis remember "Prefers window seats." --namespace travel --agent planner'],
  },
  memories: {
    summary: "List memories, newest first, or show one.",
    talksTo: "service",
    arguments: [{ name: "memoryId", isOptional: true }],
    options: {
      namespace: { type: "string", value: "<name>", summary: "only those of this namespace" },
      "source-agent": { type: "string", value: "<agent>", summary: "only what this agent captured" },
      search: { type: "string", value: "<text>", summary: "only those that contain this text" },
      "view-as": { type: "string", value: "<agent>", summary: "only what this agent may use now" },
      before: { type: "string", value: "<time>", summary: "only what was captured before this day or time" },
      superseded: { type: "boolean", summary: "history: memories whose place others took" },
      ...PAGES,
      ...SERVICE,
    },
    examples: ["portcullis memories --namespace travel", "portcullis memories --all --json > memories.ndjson"],
  },
  forget: {
    summary: "Forget memories, for good and everywhere.",
    talksTo: "service",
    arguments: [{ name: "memoryId", isOptional: true, isRepeated: true }],
    options: {
      namespace: { type: "string", value: "<name>", summary: "only memories of this namespace" },
      "source-agent": { type: "string", value: "<agent>", summary: "only what this agent captured" },
      before: { type: "string", value: "<time>", summary: "only what was captured before this day or time" },
      reason: { type: "string", value: "<text>", summary: "kept in the tombstones: do not quote what is forgotten" },
      "dry-run": { type: "boolean", summary: "count what would be forgotten, and forget nothing" },
      yes: { type: "boolean", short: "y", summary: "do not ask first (on a terminal)" },
      ...SERVICE,
    },
    details: `Name memories, or say which: --namespace, --source-agent, --before, or several of these. Signed tombstones stay, and
public receipts that quote them. A run that was interrupted goes on when it is started again.`,
    examples: ["portcullis forget --source-agent planner --before 2026-01-31 --dry-run"],
  },
  policy: {
    summary: "Show who may use what.",
    talksTo: "service",
    arguments: [],
    options: {
      agent: { type: "string", value: "<id>", summary: "only this agent" },
      namespace: { type: "string", value: "<name>", summary: "only this namespace" },
      ...SERVICE,
    },
    details: "What the table does not name is blocked.",
    examples: ["portcullis policy --agent assistant"],
  },
  "policy allow": {
    summary: "Let an agent use a namespace.",
    talksTo: "service",
    arguments: [{ name: "agent" }, { name: "namespace" }],
    options: SERVICE,
    examples: ["portcullis policy allow assistant travel"],
  },
  "policy revoke": {
    summary: "Close a namespace to an agent, at once.",
    talksTo: "service",
    arguments: [{ name: "agent" }, { name: "namespace" }],
    options: SERVICE,
    details: "It holds for answers that are under way, too.",
    examples: ["portcullis policy revoke assistant health"],
  },
} as const satisfies Record<string, Command>;
