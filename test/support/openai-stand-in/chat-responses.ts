// The stand-in's response to one request: a whole answer or a stream, with or without a fault.
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Fault, Knobs, Messages, Overflow } from "./knobs.ts";
import { chunk, completion, event, failure, type Message, usageChunk } from "./response-bodies.ts";

export interface Chat {
  readonly isStreamed: boolean;
  readonly messages: Messages;
  /** The whole request, for an endpoint that echoes it. */
  readonly request: string;
  readonly json: unknown;
}

const PAGE = "<!doctype html><title>Welcome</title>";

export async function respond(response: ServerResponse, chat: Chat, knobs: Knobs, fault?: Fault): Promise<void> {
  knobs.onChat(chat.messages);
  const latencyMs = typeof knobs.latencyMs === "number" ? knobs.latencyMs : await knobs.latencyMs();
  if (latencyMs > 0) await delay(latencyMs);
  const { system, user } = chat.messages;
  if (system.length + user.length > knobs.contextCharacters) return refuse(response, chat, knobs.overflow);
  switch (fault?.kind) {
    case "hang":
      return;
    case "reset":
      return void response.destroy();
    case "status":
      return json(response, failure(`Cannot do that: ${chat.request}`), fault.status, fault.headers);
    case "wrong-content-type":
      return void response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    case "compressed":
      return compressed(response, chat, knobs);
    default: {
      const isStreamed = fault?.kind === "other-mode" ? !chat.isStreamed : chat.isStreamed;
      await (isStreamed ? stream : whole)(response, chat, knobs, fault?.kind);
    }
  }
}

/** An error with status 200 comes as an event of a stream. */
function refuse(response: ServerResponse, { isStreamed }: Chat, { status, body }: Overflow): void {
  if (status === 200 && isStreamed)
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`event: error\n${event(body)}`);
  else json(response, body, status);
}

async function whole(response: ServerResponse, chat: Chat, knobs: Knobs, fault?: Fault["kind"]): Promise<void> {
  const calls = knobs.calls(chat.json);
  if (calls.length > 0)
    return json(response, completion(knobs.model, { content: null, tool_calls: calls }, "tool_calls"));
  const body = completion(knobs.model, messageOf(chat, knobs, fault), finishReason(fault));
  const text = JSON.stringify(body);
  const half = text.slice(0, text.length / 2);
  switch (fault) {
    case "malformed-json":
    case "stop-midway":
      return void response.writeHead(200, { "content-type": "application/json" }).end(half);
    case "empty-choices":
      return json(response, { ...body, choices: [] });
    case "error-event":
      return json(response, failure(chat.request));
    case "hang-midway":
      return void response.writeHead(200, { "content-type": "application/json" }).write(half);
    case "reset-midway":
      response.writeHead(200, { "content-type": "application/json" }).write(half);
      await delay(20);
      return void response.destroy();
    case "endless":
      response.writeHead(200, { "content-type": "application/json" }).write(half);
      return writeForever(response, () => " talk".repeat(200_000));
    default:
      return json(response, body);
  }
}

async function stream(response: ServerResponse, chat: Chat, knobs: Knobs, fault?: Fault["kind"]): Promise<void> {
  const { model, tokenMs } = knobs;
  const { content, refusal } = messageOf(chat, knobs, fault);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event(chunk(model, { role: "assistant", content: "" })));
  const calls = knobs.calls(chat.json);
  if (calls.length > 0) {
    for (const [index, { id, type, function: called }] of calls.entries()) {
      const [head, tail] = [called.arguments.slice(0, 3), called.arguments.slice(3)];
      const begun = { index, id, type, function: { ...called, arguments: head } };
      response.write(event(chunk(model, { tool_calls: [begun] })));
      response.write(event(chunk(model, { tool_calls: [{ index, function: { arguments: tail } } as never] })));
    }
    return void response.end(event(chunk(model, {}, "tool_calls")) + event("[DONE]"));
  }
  if (refusal !== undefined) response.write(event(chunk(model, { refusal })));
  const tokens = tokensOf(content ?? "");
  const middle = Math.ceil(tokens.length / 2);
  for (const [i, token] of tokens.entries()) {
    if (i === middle && fault !== undefined && (await failMidway(response, chat, knobs, fault))) return;
    if (tokenMs > 0) await delay(tokenMs);
    if (response.destroyed) return;
    response.write(event(chunk(model, { content: token })));
  }
  if (fault === "empty-choices")
    return void response.end(event({ ...chunk(model, {}), choices: [] }) + event("[DONE]"));
  response.write(event(chunk(model, {}, finishReason(fault))) + event(usageChunk(model)));
  if (fault !== "no-done") response.write(event("[DONE]"));
  if (fault !== "open-after-done") response.end();
}

/** True when the fault has ended the stream. */
async function failMidway(
  response: ServerResponse,
  chat: Chat,
  { model }: Knobs,
  fault: Fault["kind"],
): Promise<boolean> {
  switch (fault) {
    case "hang-midway":
      return true;
    case "reset-midway":
      await delay(20);
      response.destroy();
      return true;
    case "stop-midway":
      response.end();
      return true;
    case "malformed-json":
      response.end(`data: {"choices": [{\n\n${event("[DONE]")}`);
      return true;
    case "error-event":
      response.end(event(failure(chat.request)) + event("[DONE]"));
      return true;
    case "endless":
      await writeForever(response, () => event(chunk(model, { content: " talk".repeat(20) })));
      return true;
    default:
      return false;
  }
}

async function writeForever(response: ServerResponse, more: () => string): Promise<void> {
  while (!response.destroyed) {
    response.write(more());
    await delay(1);
  }
}

function compressed(response: ServerResponse, chat: Chat, knobs: Knobs): void {
  const { model } = knobs;
  const message = messageOf(chat, knobs);
  const body = chat.isStreamed
    ? event(chunk(model, message)) + event(chunk(model, {}, "stop")) + event("[DONE]")
    : JSON.stringify(completion(model, message, "stop"));
  const type = chat.isStreamed ? "text/event-stream" : "application/json";
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(gzipSync(body));
}

function messageOf(chat: Chat, { answer }: Knobs, fault?: Fault["kind"]): Message {
  if (fault === "empty-answer" || fault === "empty-choices") return { content: "" };
  if (fault === "refusal") return { content: null, refusal: "I cannot help with that." };
  return { content: answer(chat.messages) };
}

function finishReason(fault?: Fault["kind"]): string {
  if (fault === "content-filter") return "content_filter";
  return fault === "length" ? "length" : "stop";
}

/** Words, each with the white space before it. They join to the text. */
function tokensOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

function json(response: ServerResponse, body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
