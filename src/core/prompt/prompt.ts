// The prompt. Instructions and data are kept apart: `system` holds our instructions alone, and `user` holds the memories
// and the question as data, one JSON value per line. JSON text has no line ends, and `<` and `>` are escaped, so nothing
// in a memory can close the <memories> block or pass for an instruction of ours.
import { PortcullisError } from "#core/errors.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";
import { escapedJson } from "./escaped-json.ts";
import { fitMemories, type GivenMemory } from "./fit-memories.ts";
import { MEMORIES_END, type PromptTemplate, type PromptText, systemText, textLine, userText } from "./template.ts";

export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** The memories have passed the gate: only the gate makes their type. */
export interface PromptInput {
  readonly template: PromptTemplate;
  readonly memories: readonly AllowedMemory[];
  readonly query: string;
  /** A time in UTC, of which the prompt has the day. */
  readonly askedAt: string;
  /** The most that `system` and `user` may have together, in UTF-16 code units. */
  readonly characters?: number;
}

export interface RenderedPrompt extends Prompt {
  /** Those that the prompt holds, in its order. The others did not fit. */
  readonly memories: readonly GivenMemory[];
}

export interface PromptData {
  /** `n` counts from 1. The model cites a memory by it. */
  readonly memories: readonly (PromptText & { readonly n: number })[];
  readonly query: string;
  /** The day on which it is asked. */
  readonly date: string;
}

export const PROMPT_CHARACTERS = 24_000;

/** Rejects a question that does not fit. */
export function renderPrompt(input: PromptInput): RenderedPrompt {
  const { template, memories, query, askedAt, characters = PROMPT_CHARACTERS } = input;
  const system = systemText(template);
  const question = escapedJson(query);
  const room = characters - system.length - question.length - FRAME_CHARACTERS;
  if (room < 0) throw questionTooLong();
  const lines = fitMemories(memories, room);
  const json = lines.map((line) => line.json);
  const given = lines.map(({ memory, given }) => ({ memory, given }));
  return { system, user: userText(json, question, askedAt), memories: given };
}

/** The inverse of `renderPrompt`, for the built-in model. */
export function readPrompt({ user }: Prompt): PromptData {
  const lines = user.split("\n");
  const end = lines.indexOf(MEMORIES_END);
  return {
    memories: lines.slice(1, end).map((line) => JSON.parse(line)),
    query: JSON.parse(lines[end + 2] ?? '""'),
    date: /[\d-]+/.exec(lines[end + 1] ?? "")?.[0] ?? "",
  };
}

export function memoryCount({ user }: Prompt): number {
  return Math.max(0, user.split("\n").indexOf(MEMORIES_END) - 1);
}

/** What `user` has apart from the memories and the question. */
const FRAME_CHARACTERS = userText([], "", "2026-05-01").length;

function questionTooLong(): PortcullisError {
  const message = "The question is too long for the prompt. Ask a shorter one, or raise PROMPT_CHARACTERS.";
  return new PortcullisError("invalid-request", message, { fields: [{ pointer: "#/query", detail: message }] });
}

/** A question, and when its receipt says that it was asked. */
interface Asked {
  readonly question: string;
  readonly createdAt: string;
}

/** The prompt that left, byte for byte, from what a receipt, its memories' blobs (`promptText`) and the question say. */
export function promptFrom(template: PromptTemplate, texts: readonly PromptText[], asked: Asked): Prompt {
  const lines = texts.map((text, i) => textLine(i + 1, text));
  return { system: systemText(template), user: userText(lines, escapedJson(asked.question), asked.createdAt) };
}
