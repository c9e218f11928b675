// The hosts whose hooks `portcullis hook` serves, by name: the settings to print, how memories are handed back when a
// session begins, and how its transcript is read when it ends.
import type { HookHost } from "#cli/table/receipt-commands.ts";
import * as transcripts from "#core/conversations/host-transcripts.ts";

interface Host {
  /** `run` gives the command line of an event. */
  settings(run: (event: "--session-start" | "--session-end") => string): object;
  /** What is printed: a text as it is, else JSON. */
  context(text: string): string | object;
  readonly reader: transcripts.LineReader;
}

/** The time that a host gives a hook: more than the hook takes by itself. */
const SECONDS = 10;

export const hookHosts: Readonly<Record<HookHost, Host>> = {
  "claude-code": {
    // By itself Claude Code gives all hooks at the end of a session 1.5 s.
    settings: (run) => ({ env: { CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: String(SECONDS * 1_000) }, ...grouped(run) }),
    context: (text) => text,
    reader: transcripts.claudeLine,
  },
  codex: {
    // At the end of a session Codex gives 1 s by itself, and 3 s at most.
    settings: (run) => grouped(run, SECONDS, 3),
    context: (text) => text,
    reader: transcripts.codexLine,
  },
  "gemini-cli": {
    // In milliseconds.
    settings: (run) => grouped(run, SECONDS * 1_000),
    // A text would be shown to the user, and not to the model.
    context: (additionalContext) => ({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } }),
    reader: transcripts.geminiLine,
  },
  cursor: {
    settings: (run) => ({
      version: 1,
      hooks: { sessionStart: [{ command: run("--session-start") }], sessionEnd: [{ command: run("--session-end") }] },
    }),
    context: (text) => ({ additional_context: text }),
    reader: transcripts.cursorLine,
  },
};

function grouped(run: Parameters<Host["settings"]>[0], atStart = SECONDS, atEnd = atStart) {
  const group = (command: string, timeout: number) => [{ hooks: [{ type: "command", command, timeout }] }];
  return {
    hooks: { SessionStart: group(run("--session-start"), atStart), SessionEnd: group(run("--session-end"), atEnd) },
  };
}
