// Bodies that are read piece by piece: lines of JSON, server-sent events, and answers while they are made.
import { type Problem, ProblemError } from "#contract/problem.ts";
import type { GateEvent, Reply } from "#contract/routes.ts";
import { chunksOf } from "#core/encoding/read-up-to.ts";
import { ConnectionError, parseJson, requireShort } from "./read-reply.ts";

/** A body as text, chunk by chunk. */
async function* utf8Chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const utf8 = new TextDecoder();
  try {
    for await (const chunk of chunksOf(body)) {
      const text = utf8.decode(chunk, { stream: true });
      if (text !== "") yield text;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new ConnectionError("broken-off", "The response broke off.", error);
    throw error;
  }
  const end = utf8.decode();
  if (end !== "") yield end;
}

/** The lines that have an end, and then what comes after the last. A chunk may end between CR and LF. */
async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string, string> {
  let rest: string[] = [];
  let length = 0;
  let afterCr = false;
  for await (const text of utf8Chunks(body)) {
    const [first = "", ...lines] = (afterCr && text.startsWith("\n") ? text.slice(1) : text).split(/\r\n|\r|\n/);
    afterCr = text.endsWith("\r");
    rest.push(first);
    length += first.length;
    requireShort(length);
    for (const line of lines) {
      yield rest.join("");
      rest = [line];
      length = line.length;
    }
  }
  return rest.join("");
}

/** The values of a body that has one on each line, as they come. */
export async function* ndjsonLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<unknown, undefined> {
  if (body === null) return;
  const lines = linesIn(body);
  try {
    let line = await lines.next();
    for (; !line.done; line = await lines.next()) yield parseJson(line.value);
    if (line.value !== "")
      throw new ConnectionError("broken-off", "The results broke off. What was answered is on record.");
  } finally {
    // Whoever stops early closes the connection.
    await lines.return("");
  }
}

export type ServerSentEvent = { readonly name: string; readonly data: string };

// https://html.spec.whatwg.org/multipage/server-sent-events.html, without `retry`. `EventSource` itself can only GET, and
// sends no key.

/** Calls `onId` with the id of each event before the event is given, and with ids that stand alone. */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array>,
  onId: (id: string) => void = () => undefined,
): AsyncGenerator<ServerSentEvent, undefined> {
  let name = "";
  let data: string[] = [];
  let id: string | undefined;
  let length = 0;
  for await (const line of linesIn(body)) {
    if (line === "") {
      if (id !== undefined) onId(id);
      id = undefined;
      if (data.length > 0) yield { name: name === "" ? "message" : name, data: data.join("\n") };
      [name, data, length] = ["", [], 0];
      continue;
    }
    const [field, value] = parseField(line);
    if (field === "event") name = value;
    if (field === "data") {
      length += line.length + 1;
      requireShort(length);
      data.push(value);
    }
    if (field === "id") id = value;
  }
  // The specification says to drop an event that has no empty line after it.
}

/** A line that begins with a colon is a comment: its field has no name. */
function parseField(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
}

export interface AnswerListener {
  /** Called before the model is asked, again after a restart, and again if the model needs a shorter prompt. */
  readonly onGate?: ((gate: GateEvent) => void) | undefined;
  readonly onText: (piece: string) => void;
  /** All so far is void: the policy changed, and the answer is made again without what is closed now. */
  readonly onRestart?: (() => void) | undefined;
}

type Answered = Reply<"chat" | "companion">;

/** Reads an answer from its event stream. The result is the answer; the pieces are only its preview. */
export async function readAnswer(response: Response, { onGate, onText, onRestart }: AnswerListener): Promise<Answered> {
  if (response.body !== null) {
    for await (const { name, data } of parseEventStream(response.body)) {
      if (name === "gate") onGate?.(parseJson(data) as GateEvent);
      if (name === "token") onText((parseJson(data) as { text: string }).text);
      if (name === "restart") onRestart?.();
      if (name === "answer") return parseJson(data) as Answered;
      if (name === "problem") throw new ProblemError(parseJson(data) as Problem);
    }
  }
  throw new ConnectionError("broken-off", "The answer broke off. It was not released.");
}
