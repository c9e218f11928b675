// An endpoint that speaks OpenAI's chat completions on loopback, for tests and for trying things by hand. Keeps every
// byte that it was sent, and can be told to go wrong.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultKnobs, type Knobs } from "./knobs.ts";
import { type Chat, respond } from "./respond.ts";
import { failure } from "./shapes.ts";

export { echo, type Fault, times, tooMany } from "./knobs.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  /** Dropped: the connection was closed before the answer was complete, by whichever side. */
  state: "open" | "answered" | "dropped";
}

export interface OpenAiStandIn {
  /** For MODEL_BASE_URL. */
  readonly baseUrl: string;
  readonly knobs: Knobs;
  /** The requests whose bodies have arrived in full, oldest first. */
  readonly received: readonly Received[];
  /** Every byte that arrived, whatever it was, of all connections one after another. */
  bytes(): Buffer;
  /** Forgets what was received, and all is well again. */
  reset(): void;
  close(): Promise<void>;
}

export async function startOpenAiStandIn({ port = 0 }: { port?: number } = {}): Promise<OpenAiStandIn> {
  const knobs = defaultKnobs();
  const received: Received[] = [];
  const streams = new Set<Buffer[]>();
  const server = createServer((request, response) => {
    serve(request, response, knobs, received).catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    const arrived: Buffer[] = [];
    streams.add(arrived);
    socket.on("data", (bytes: Buffer) => arrived.push(bytes));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    knobs,
    received,
    bytes: () => Buffer.concat([...streams].flat()),
    reset() {
      Object.assign(knobs, defaultKnobs());
      received.length = 0;
      for (const arrived of streams) arrived.length = 0;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, knobs: Knobs, received: Received[]) {
  const body = Buffer.concat(await request.toArray());
  const entry: Received = {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers as Record<string, string>,
    body,
    json: parsed(body),
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
  const sent = `${JSON.stringify(request.rawHeaders)} ${body}`;
  await respond(response, chatOf(entry.json, sent), knobs, knobs.next.shift() ?? knobs.always);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function chatOf(json: unknown, sent: string): Chat {
  const { stream, messages } = json as { stream?: boolean; messages: { role: string; content: string }[] };
  const said = (role: string) => messages.find((message) => message.role === role)?.content ?? "";
  return { isStreamed: stream === true, messages: { system: said("system"), user: said("user") }, sent };
}
