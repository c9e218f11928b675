// Answers one request, whole or as a stream, well or badly.
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Fault, Knobs } from "./knobs.ts";
import { chunk, completion, event, failure, type Message, usageChunk } from "./shapes.ts";

export interface Chat {
  readonly isStreamed: boolean;
  readonly messages: { readonly system: string; readonly user: string };
  /** All that the client sent, for an endpoint that sends it back. */
  readonly sent: string;
}

const PAGE = "<!doctype html><title>Welcome</title>";

export async function respond(response: ServerResponse, chat: Chat, knobs: Knobs, fault?: Fault): Promise<void> {
  knobs.onChat(chat.messages);
  const latencyMs = typeof knobs.latencyMs === "number" ? knobs.latencyMs : knobs.latencyMs();
  if (latencyMs > 0) await delay(latencyMs);
  switch (fault?.kind) {
    case "hang":
      return;
    case "reset":
      return void response.destroy();
    case "status":
      return json(response, failure(`Cannot do that: ${chat.sent}`), fault.status, fault.headers);
    case "wrong-content-type":
      return void response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    default:
      await (chat.isStreamed ? stream : whole)(response, chat, knobs, fault?.kind);
  }
}

async function whole(response: ServerResponse, chat: Chat, knobs: Knobs, fault?: Fault["kind"]): Promise<void> {
  const body = completion(knobs.model, messageOf(chat, knobs, fault), finishOf(fault));
  const text = JSON.stringify(body);
  const half = text.slice(0, text.length / 2);
  switch (fault) {
    case "malformed-json":
    case "stop-midway":
      return void response.writeHead(200, { "content-type": "application/json" }).end(half);
    case "empty-choices":
      return json(response, { ...body, choices: [] });
    case "error-event":
      return json(response, failure(chat.sent));
    case "hang-midway":
      return void response.writeHead(200, { "content-type": "application/json" }).write(half);
    case "reset-midway":
      response.writeHead(200, { "content-type": "application/json" }).write(half);
      await delay(20);
      return void response.destroy();
    case "endless":
      response.writeHead(200, { "content-type": "application/json" }).write(half);
      return forever(response, () => " talk".repeat(200_000));
    default:
      return json(response, body);
  }
}

async function stream(response: ServerResponse, chat: Chat, knobs: Knobs, fault?: Fault["kind"]): Promise<void> {
  const { model, tokenMs } = knobs;
  const { content, refusal } = messageOf(chat, knobs, fault);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event(chunk(model, { role: "assistant", content: "" })));
  if (refusal !== undefined) response.write(event(chunk(model, { refusal })));
  const tokens = tokensOf(content ?? "");
  const middle = Math.ceil(tokens.length / 2);
  for (const [i, token] of tokens.entries()) {
    if (i === middle && fault !== undefined && (await goWrong(response, chat, knobs, fault))) return;
    if (tokenMs > 0) await delay(tokenMs);
    if (response.destroyed) return;
    response.write(event(chunk(model, { content: token })));
  }
  if (fault === "empty-choices")
    return void response.end(event({ ...chunk(model, {}), choices: [] }) + event("[DONE]"));
  response.write(event(chunk(model, {}, finishOf(fault))));
  response.end(event(usageChunk(model)) + event("[DONE]"));
}

/** True when that was the end of it. */
async function goWrong(response: ServerResponse, chat: Chat, { model }: Knobs, fault: Fault["kind"]): Promise<boolean> {
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
      response.end(event(failure(chat.sent)) + event("[DONE]"));
      return true;
    case "endless":
      await forever(response, () => event(chunk(model, { content: " talk".repeat(20) })));
      return true;
    default:
      return false;
  }
}

async function forever(response: ServerResponse, more: () => string): Promise<void> {
  while (!response.destroyed) {
    response.write(more());
    await delay(1);
  }
}

function messageOf(chat: Chat, { answer }: Knobs, fault?: Fault["kind"]): Message {
  if (fault === "empty-answer" || fault === "empty-choices") return { content: "" };
  if (fault === "refusal") return { content: null, refusal: "I cannot help with that." };
  return { content: answer(chat.messages) };
}

function finishOf(fault?: Fault["kind"]): string {
  if (fault === "content-filter") return "content_filter";
  return fault === "length" ? "length" : "stop";
}

/** Words with the space before them; what is between them is not lost. */
function tokensOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

function json(response: ServerResponse, body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
