// A Walrus publisher and aggregator for tests and for trying things by hand: two real HTTP servers on loopback over one
// network of blobs. They answer in the shapes of Walrus, and have knobs that make them misbehave.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { aggregate } from "./aggregator.ts";
import { contentId, createNetwork, type Naming, type NetworkBlob } from "./blob-network.ts";
import { createKnobs, type Fault, type Knobs, type ServerKnobs, takeFault } from "./knobs.ts";
import { publish } from "./publisher.ts";
import { type Answer, plain, refusal, send } from "./replies.ts";
import { countTraffic, createTraffic, type ServerTraffic, type Traffic } from "./traffic.ts";

export type { Fault } from "./knobs.ts";

export interface WalrusStandIn {
  readonly publisherUrl: string;
  readonly aggregatorUrl: string;
  readonly knobs: Knobs;
  readonly traffic: Traffic;
  /** The blob that the network has under an id. Of the knobs, only the epoch matters. */
  find(blobId: string): NetworkBlob | undefined;
  close(): Promise<void>;
}

interface Options extends Partial<Naming> {
  /** 0 means any free port. */
  readonly publisherPort?: number;
  readonly aggregatorPort?: number;
}

// How many requests Walrus handles at a time, plus how many it queues. It answers 429 to those beyond.
const PUBLISHER_LIMIT = 8 + 8;
const AGGREGATOR_LIMIT = 256 + 320;

export async function startWalrusStandIn({
  publisherPort = 0,
  aggregatorPort = 0,
  blobIdOf = contentId,
  isBlobId = (text) => /^[\w-]{43}$/.test(text),
}: Options = {}): Promise<WalrusStandIn> {
  const knobs = createKnobs();
  const traffic = createTraffic();
  const network = createNetwork(knobs, traffic, { blobIdOf, isBlobId });
  const publisher = createStandInServer(knobs, knobs.put, traffic.put, PUBLISHER_LIMIT, (request, url, fault) =>
    publish(request, url, network, knobs, fault),
  );
  const aggregator = createStandInServer(knobs, knobs.get, traffic.get, AGGREGATOR_LIMIT, async (request, url, fault) =>
    aggregate(request, url, network, fault),
  );
  return {
    publisherUrl: await listen(publisher, publisherPort),
    aggregatorUrl: await listen(aggregator, aggregatorPort),
    knobs,
    traffic,
    find: network.find,
    close: async () => void (await Promise.all([publisher, aggregator].map(close))),
  };
}

type Handle = (request: IncomingMessage, url: URL, fault: Fault | undefined) => Promise<Answer>;

function createStandInServer(
  knobs: Knobs,
  serverKnobs: ServerKnobs,
  traffic: ServerTraffic,
  limit: number,
  handle: Handle,
): Server {
  const server = createServer();
  // Listeners run in their order, so a request is counted before it is compared with the limit.
  const inFlight = countTraffic(server, traffic);
  server.on("request", (request, response) => {
    const work =
      inFlight() > limit
        ? rejectAsOverloaded(request, response, knobs)
        : serve(request, response, knobs, serverKnobs, handle);
    work.catch(() => response.destroy());
  });
  return server;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  knobs: Knobs,
  serverKnobs: ServerKnobs,
  handle: Handle,
): Promise<void> {
  const fault = takeFault(serverKnobs);
  await serverKnobs.hold;
  if (serverKnobs.latencyMs > 0) await delay(serverKnobs.latencyMs);
  const url = new URL(request.url ?? "/", "http://localhost");
  switch (fault) {
    case "hang":
      return;
    case "reset":
      request.socket.resetAndDestroy();
      return;
    case "too-many-requests":
      return rejectAsOverloaded(request, response, knobs);
    case "unavailable":
      request.resume();
      return send(
        response,
        withRetryAfter(refusal(503, "BLOB_UNAVAILABLE", "the blob cannot be retrieved now"), knobs),
      );
    case "redirect":
      request.resume();
      return send(response, { status: 307, headers: { Location: `${url.pathname}${url.search}` }, body: "" });
    default:
      return send(response, await handle(request, url, fault), { half: fault === "truncate" });
  }
}

async function rejectAsOverloaded(request: IncomingMessage, response: ServerResponse, knobs: Knobs): Promise<void> {
  request.resume();
  send(response, withRetryAfter(plain(429, "Too Many Requests! Wait for 1s"), knobs));
}

function withRetryAfter(answer: Answer, { retryAfter }: Knobs): Answer {
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
