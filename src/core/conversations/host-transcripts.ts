// The conversation in a transcript of Claude Code: lines of JSON, of which only what a person wrote and what the model
// answered is read. Tools, side chains, commands and what a program put into a message are no conversation.
import { orUndefined } from "#core/defined.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import type { SaidMessage } from "./extract-facts.ts";

/** What one request takes, with room for its JSON. */
const MOST = { messages: 200, characters: 30_000, bytes: 50_000 };
/** What a program put into a message: `<system-reminder>…</system-reminder>`, and the like. */
const INSERTED = /<([a-z]+(?:-[a-z]+)+)>[\s\S]*?<\/\1>/g;

/** The last messages, oldest first. A line that is none is passed over: the format may grow. */
export function conversationIn(transcript: string): SaidMessage[] {
  const messages: SaidMessage[] = [];
  let [characters, bytes] = [0, 0];
  for (const line of transcript.split("\n").reverse()) {
    const message = messageIn(line);
    if (message === undefined) continue;
    characters += message.content.length;
    bytes += new TextEncoder().encode(JSON.stringify(message)).length;
    if (messages.length === MOST.messages || characters > MOST.characters || bytes > MOST.bytes) break;
    messages.push(message);
  }
  return messages.reverse();
}

function messageIn(line: string): SaidMessage | undefined {
  const entry = orUndefined(() => JSON.parse(line));
  const { type, isMeta, isSidechain, isCompactSummary, timestamp, message } = Object(entry);
  if ((type !== "user" && type !== "assistant") || isMeta || isSidechain || isCompactSummary) return undefined;
  const at = typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp)) ? timestamp : undefined;
  const content = textOf(Object(message).content)
    .replace(INSERTED, "")
    .normalize("NFC")
    .trim()
    .slice(0, LIMITS.content);
  return content === "" || at === undefined ? undefined : { role: type, content: content.trim(), at };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.map(Object) : [];
  return parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? text : [])).join("\n");
}
