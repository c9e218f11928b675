// The conversations in the transcripts of hosts: lines of JSON, of which only what a person wrote and what the model
// answered is read. Tools, side chains, commands and what a program put into a message are no conversation.
import { orUndefined } from "#core/defined.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import type { SaidMessage } from "./extract-facts.ts";

/** What one request takes, with room for its JSON. */
const MOST = { messages: 200, characters: 30_000, bytes: 50_000 };
/** What a program put into a message: `<system-reminder>…</system-reminder>`, and the like. */
const INSERTED = /<([a-z]+(?:[-_][a-z]+)+)>[\s\S]*?<\/\1>/g;
/** Types of the parts of a message that are text. Those of Gemini have none. */
const TEXT_TYPES: readonly unknown[] = [undefined, "text", "output_text"];

/** `at` is left out if the host does not keep it. */
type Message = Omit<SaidMessage, "at"> & { readonly at?: string | undefined };
type Parsed = Readonly<Record<string, unknown>>;
type Spoken = { readonly role: unknown; readonly content: unknown; readonly at?: unknown };
/** Who speaks in a line, and what it says, as the host has it. */
export type LineReader = (line: Parsed) => Spoken | undefined;

export const claudeLine: LineReader = ({ type, isMeta, isSidechain, isCompactSummary, timestamp, message }) =>
  isMeta || isSidechain || isCompactSummary
    ? undefined
    : { role: type, content: Object(message).content, at: timestamp };

/** The messages to the model have more in the user's name than what was typed: that is in events, of an old or a new form. */
export const codexLine: LineReader = ({ type: kind, timestamp: at, payload }) => {
  const { type, role, content, message, item } = Object(payload);
  if (kind === "response_item" && type === "message" && role === "assistant") return { role, content, at };
  if (kind !== "event_msg") return undefined;
  if (type === "user_message") return { role: "user", content: message, at };
  return Object(item).type === "UserMessage" ? { role: "user", content: item.content, at } : undefined;
};

/** What was typed, without the files that it names, is what is displayed. */
export const geminiLine: LineReader = ({ type, content, displayContent = content, timestamp: at }) => ({
  role: type === "gemini" ? "assistant" : type,
  content: displayContent,
  at,
});

/** What was typed stands between tags, beside what the editor adds. There is no time. */
export const cursorLine: LineReader = ({ role, message }) => {
  const text = textOf(Object(message).content);
  const typed = [...text.matchAll(/<user_query>([\s\S]*?)<\/user_query>/g)].map(([, query]) => query);
  return { role, content: role === "user" && typed.length > 0 ? typed.join("\n") : text };
};

/** The last messages, oldest first. A line that is none is passed over: the formats may grow. */
export function conversationIn(transcript: string, reader: LineReader): Message[] {
  const messages: Message[] = [];
  let [characters, bytes] = [0, 0];
  for (const line of transcript.split("\n").reverse()) {
    const message = messageOf(reader(Object(orUndefined(() => JSON.parse(line)))));
    if (message === undefined) continue;
    // A line may be written again, when more is known of it, or in two forms.
    const after = messages.at(-1);
    if (after?.role === message.role && after.content === message.content) continue;
    characters += message.content.length;
    bytes += new TextEncoder().encode(JSON.stringify(message)).length;
    if (messages.length === MOST.messages || characters > MOST.characters || bytes > MOST.bytes) break;
    messages.push(message);
  }
  return messages.reverse();
}

function messageOf(spoken: Spoken | undefined): Message | undefined {
  const { role, content, at } = { ...spoken };
  if (role !== "user" && role !== "assistant") return undefined;
  const text = textOf(content).replace(INSERTED, "").normalize("NFC").trim().slice(0, LIMITS.content).trim();
  if (text === "") return undefined;
  return typeof at === "string" && !Number.isNaN(Date.parse(at))
    ? { role, content: text, at }
    : { role, content: text };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => {
    const { type, text, thought } = Object(part);
    if (typeof part === "string") return part;
    return typeof text === "string" && !thought && TEXT_TYPES.includes(type) ? text : "";
  });
  return texts.filter((text) => text !== "").join("\n");
}
