// A transcript in the form of each host: its user says in it that they live in Porto, and that they have a dog. Other
// cities are told by files, tools, thoughts and programs.
import type { HookHost } from "#cli/table/receipt-commands.ts";

const AT = "2026-11-18T10:00:00.000Z";

const claude = (type: string, content: unknown, more: object = {}) => ({
  parentUuid: null,
  isSidechain: false,
  userType: "external",
  cwd: "/home/ada/garden",
  sessionId: "5e55",
  version: "2.1.80",
  type,
  message: { role: type, content },
  uuid: "u1",
  timestamp: AT,
  ...more,
});
const codex = (type: string, payload: object) => ({ timestamp: AT, type, payload });
const codexMessage = (role: string, type: string, text: string) =>
  codex("response_item", { type: "message", role, content: [{ type, text }] });
const gemini = (id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: AT,
  type,
  content,
  ...more,
});
const cursor = (role: string, text: string, ...more: object[]) => ({
  role,
  message: { content: [{ type: "text", text }, ...more] },
});

const thought = { subject: "Home", description: "I live in Bergen.", timestamp: AT };
const answer = gemini("m2", "gemini", [{ text: "I live in Lima.", thought: true }, { text: "Noted." }], {
  thoughts: [thought],
  model: "gemini-3-pro",
});
const read = {
  id: "c1",
  name: "read_file",
  args: {},
  status: "success",
  timestamp: AT,
  result: [{ text: "I live in Turin." }],
};

const LINES: Readonly<Record<HookHost, readonly object[]>> = {
  "claude-code": [
    { type: "summary", summary: "Watering", leafUuid: "u0" },
    claude("user", "<command-name>/clear</command-name>\n<command-args></command-args>"),
    claude("user", "I live in Cairo.", { isMeta: true }),
    claude("user", "I live in Oslo.", { isSidechain: true }),
    claude("user", "I live in Porto. <system-reminder>I live in Bergen.</system-reminder>"),
    claude("assistant", [
      { type: "thinking", thinking: "I live in Lima." },
      { type: "text", text: "Noted." },
      { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
    ]),
    claude("user", [{ type: "tool_result", tool_use_id: "t1", content: "I live in Turin." }]),
    claude("user", [{ type: "text", text: "I have a dog." }]),
  ],
  codex: [
    codex("session_meta", { id: "5e55", cwd: "/home/ada/garden", cli_version: "0.154.0" }),
    codexMessage("developer", "input_text", "I live in Lima."),
    codexMessage("user", "input_text", "# AGENTS.md instructions\n\nI live in Oslo."),
    codexMessage("user", "input_text", "I live in Porto."),
    codex("event_msg", {
      type: "item_completed",
      thread_id: "5e55",
      turn_id: "t1",
      item: { type: "UserMessage", id: "u1", content: [{ type: "text", text: "I live in Porto.", text_elements: [] }] },
    }),
    // What versions before 0.147 write, and some beside the other.
    codex("event_msg", { type: "user_message", message: "I live in Porto.", images: [] }),
    codex("response_item", { type: "reasoning", summary: [{ type: "summary_text", text: "I live in Bergen." }] }),
    codex("response_item", { type: "function_call_output", call_id: "c1", output: "I live in Turin." }),
    codexMessage("assistant", "output_text", "Noted."),
    codex("event_msg", { type: "user_message", message: "I have a dog.", images: [] }),
  ],
  "gemini-cli": [
    { sessionId: "5e55", projectHash: "ab12", startTime: AT, lastUpdated: AT, kind: "main" },
    gemini("m0", "user", [{ text: "<hook_context>I live in Cairo.</hook_context>" }]),
    gemini("m1", "user", [{ text: "I live in Porto." }, { text: "I live in Oslo." }], {
      displayContent: [{ text: "I live in Porto." }],
    }),
    answer,
    { $set: { lastUpdated: AT } },
    { ...answer, toolCalls: [read] },
    gemini("m3", "info", "I live in Athens."),
    gemini("m4", "user", "I have a dog."),
  ],
  cursor: [
    cursor(
      "user",
      "<timestamp>I live in Lima.</timestamp>\n<attached_files>I live in Oslo.</attached_files>\n<user_query>\nI live in Porto.\n</user_query>",
    ),
    cursor("assistant", "Noted.", { type: "tool_use", name: "Write", input: { contents: "I live in Turin." } }),
    { type: "turn_ended", status: "success" },
    cursor("user", "<user_query>\nI have a dog.\n</user_query>"),
  ],
};

/** Its last line is still being written. */
export const transcriptOf = (host: HookHost): string =>
  `${LINES[host].map((line) => JSON.stringify(line)).join("\n")}\n{"type":"us`;

/** What a host writes to a hook's standard input. */
export function eventOf(host: HookHost, transcript: string | null): string {
  const event = { session_id: "5e55", transcript_path: transcript };
  const place = host === "cursor" ? { workspace_roots: ["/home/ada/garden"] } : { cwd: "/home/ada/garden" };
  return JSON.stringify({ ...event, ...place });
}
