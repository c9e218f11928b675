// A Walrus publisher and aggregator for tests and for trying things by hand: two real HTTP servers on loopback over one
// network of blobs, with the wire shapes of Walrus, and knobs to make them misbehave.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { aggregate } from "./aggregator.ts";
import { contentId, createNetwork, type KeptBlob } from "./blobs.ts";
import { createKnobs, type Door, type Fault, type Knobs, takeFault } from "./knobs.ts";
import { publish } from "./publisher.ts";
import { type Answer, plain, refusal, send } from "./replies.ts";
import { createSeen, type Seen, type Traffic, watch } from "./seen.ts";

export type { Fault } from "./knobs.ts";

export interface WalrusStandIn {
  readonly publisherUrl: string;
  readonly aggregatorUrl: string;
  readonly knobs: Knobs;
  readonly seen: Seen;
  /** What the network has under an id, past all knobs but the epoch. */
  find(blobId: string): KeptBlob | undefined;
  close(): Promise<void>;
}

interface Options {
  /** 0: any that is free. */
  readonly publisherPort?: number;
  readonly aggregatorPort?: number;
  readonly blobIdOf?: (bytes: Uint8Array) => string;
}

// What Walrus handles at one time and lets wait; those beyond are sent away.
const PUBLISHER_LIMIT = 8 + 8;
const AGGREGATOR_LIMIT = 256 + 320;

export async function startWalrusStandIn({
  publisherPort = 0,
  aggregatorPort = 0,
  blobIdOf = contentId,
}: Options = {}): Promise<WalrusStandIn> {
  const knobs = createKnobs();
  const seen = createSeen();
  const network = createNetwork(knobs, seen, blobIdOf);
  const publisher = doorOf(knobs, knobs.put, seen.put, PUBLISHER_LIMIT, (request, url, fault) =>
    publish(request, url, network, knobs, fault),
  );
  const aggregator = doorOf(knobs, knobs.get, seen.get, AGGREGATOR_LIMIT, async (request, url, fault) =>
    aggregate(request, url, network, fault),
  );
  return {
    publisherUrl: await listen(publisher, publisherPort),
    aggregatorUrl: await listen(aggregator, aggregatorPort),
    knobs,
    seen,
    find: network.find,
    close: async () => void (await Promise.all([publisher, aggregator].map(close))),
  };
}

type Handle = (request: IncomingMessage, url: URL, fault: Fault | undefined) => Promise<Answer>;

function doorOf(knobs: Knobs, door: Door, traffic: Traffic, limit: number, handle: Handle): Server {
  const server = createServer();
  // Listeners run in their order: this one has counted a request before the next one asks.
  const inHand = watch(server, traffic);
  server.on("request", (request, response) => {
    const work = inHand() > limit ? turnAway(request, response, knobs) : serve(request, response, knobs, door, handle);
    work.catch(() => response.destroy());
  });
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  knobs: Knobs,
  door: Door,
  handle: Handle,
): Promise<void> {
  const fault = takeFault(door);
  if (door.latencyMs > 0) await delay(door.latencyMs);
  const url = new URL(request.url ?? "/", "http://localhost");
  switch (fault) {
    case "hang":
      return;
    case "reset":
      request.socket.resetAndDestroy();
      return;
    case "too-many-requests":
      return turnAway(request, response, knobs);
    case "unavailable":
      request.resume();
      return send(response, busy(refusal(503, "BLOB_UNAVAILABLE", "the blob cannot be retrieved now"), knobs));
    case "redirect":
      request.resume();
      return send(response, { status: 307, headers: { Location: `${url.pathname}${url.search}` }, body: "" });
    default:
      return send(response, await handle(request, url, fault), { half: fault === "truncate" });
  }
}

async function turnAway(request: IncomingMessage, response: ServerResponse, knobs: Knobs): Promise<void> {
  request.resume();
  send(response, busy(plain(429, "Too Many Requests! Wait for 1s"), knobs));
}

function busy(answer: Answer, { retryAfter }: Knobs): Answer {
  return retryAfter === undefined
    ? answer
    : { ...answer, headers: { ...answer.headers, "Retry-After": String(retryAfter) } };
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
