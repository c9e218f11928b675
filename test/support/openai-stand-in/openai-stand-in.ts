// An endpoint that speaks OpenAI's chat completions on loopback, for tests and for trying things by hand. It records
// every byte that it receives, and shows faults on request.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Chat, respond } from "./chat-responses.ts";
import { defaultKnobs, type Knobs } from "./knobs.ts";
import { failure } from "./response-bodies.ts";

export { echo, type Fault, times, tooMany } from "./knobs.ts";

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** `dropped`: either side closed the connection before the response was complete. */
  state: "open" | "answered" | "dropped";
}

export interface OpenAiStandIn {
  /** The value for MODEL_BASE_URL. */
  readonly baseUrl: string;
  readonly knobs: Knobs;
  /** The requests that have arrived in full, oldest first. */
  readonly received: readonly ReceivedRequest[];
  /** Every byte that has arrived, one connection after another. */
  bytes(): Buffer;
  /** The number of connections so far. */
  connections(): number;
  /** Clears what was received, and sets the knobs to their defaults. */
  reset(): void;
  close(): Promise<void>;
}

export async function startOpenAiStandIn({ port = 0 }: { port?: number } = {}): Promise<OpenAiStandIn> {
  const knobs = defaultKnobs();
  const received: ReceivedRequest[] = [];
  /** The bytes of each connection. */
  const streams: Buffer[][] = [];
  const server = createServer((request, response) => {
    serve(request, response, knobs, received).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    const stream: Buffer[] = [];
    streams.push(stream);
    socket.on("data", (bytes: Buffer) => stream.push(bytes));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    knobs,
    received,
    bytes: () => Buffer.concat(streams.flat()),
    connections: () => streams.length,
    reset() {
      Object.assign(knobs, defaultKnobs());
      received.length = 0;
      for (const stream of streams) stream.length = 0;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, knobs: Knobs, received: ReceivedRequest[]) {
  const body = Buffer.concat(await request.toArray());
  const entry: ReceivedRequest = {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers as Record<string, string>,
    body,
    json: parseJson(body),
    state: "open",
  };
  received.push(entry);
  response.on("close", () => {
    entry.state = response.writableFinished ? "answered" : "dropped";
  });
  if (entry.method !== "POST" || entry.path !== "/v1/chat/completions") {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(JSON.stringify(failure("Unknown route.")));
    return;
  }
  const echoed = `${JSON.stringify(request.rawHeaders)} ${body}`;
  await respond(response, chatOf(entry.json, echoed), knobs, knobs.next.shift() ?? knobs.always);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function chatOf(json: unknown, request: string): Chat {
  const { stream, messages } = json as { stream?: boolean; messages: { role: string; content: string }[] };
  const contentOf = (role: string) => messages.find((message) => message.role === role)?.content ?? "";
  return {
    isStreamed: stream === true,
    messages: { system: contentOf("system"), user: contentOf("user") },
    request,
    json,
  };
}
