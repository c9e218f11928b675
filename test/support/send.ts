// Sends requests that the typed client and fetch would not send: any header, any body, any bytes.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { Problem } from "#contract/problem.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Several pieces are sent chunked, without a Content-Length. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
}

/** One request on a connection of its own. */
export async function send(url: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  const pieces = body === undefined ? [] : isOne(body) ? [body] : body;
  const length = body !== undefined && isOne(body) ? { "content-length": Buffer.byteLength(body) } : {};
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...length, ...headers }, agent: false }, (response) => {
      text(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: content }),
        reject,
      );
    });
    sent.on("error", reject);
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}

/** For a reply without an end: its head and its first piece, or the whole problem. */
export async function sendForFirstPiece(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const headers = Object.fromEntries(response.headers);
  if (!response.ok) return { status: response.status, headers, text: await response.text() } as Answer;
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return { status: response.status, headers, text: new TextDecoder().decode(piece?.value) } as Answer;
}

const isOne = (body: NonNullable<Sent["body"]>): body is string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array;

/** POSTs JSON: a text as it is, any other value as its JSON. */
export function post(url: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const json = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return send(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: json });
}

/** The events of a complete stream. */
export function eventsIn(events: string): { name: string; data: Record<string, unknown> }[] {
  return events.split("\n\n").flatMap((block) => {
    const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    return name === "" ? [] : [{ name, data: JSON.parse(data) }];
  });
}

export function problemIn({ text: json }: Answer): Problem {
  return JSON.parse(json);
}

/** The problem of a stream that has no other event. */
export function problemEventIn({ status, text: events }: Answer): Problem {
  const [, data = ""] = /^(?::.*\n\n)*event: problem\ndata: (.*)\n\n$/.exec(events) ?? [];
  if (status !== 200 || data === "") throw new Error(`not a stream with a problem alone: ${status} ${events}`);
  return JSON.parse(data);
}

/** A bare connection to the service. */
export interface Connection {
  readonly socket: Socket;
  write(bytes: string | Uint8Array): void;
  /** Reads until the text has come, and gives everything that was read. */
  until(expected: string): Promise<string>;
  /** Reads until the service closes the connection. */
  everything(): Promise<string>;
}

export async function connectTo(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.on("error", () => undefined); // Readers of the socket get the error.
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    async until(expected) {
      let got = "";
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        got += chunk;
        if (got.includes(expected)) return got;
      }
      throw new Error(`The connection ended before "${expected}" came; what came was: ${got}`);
    },
    everything: () => text(socket),
  };
}

/** Sends the bytes on a new connection, and gives everything that comes back. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<string> {
  const connection = await connectTo(url);
  connection.write(bytes);
  return connection.everything();
}
