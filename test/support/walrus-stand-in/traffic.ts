// Counts what the stand-in receives.
import type { IncomingMessage, Server } from "node:http";

export interface ServerTraffic {
  requests: number;
  /** The highest number of requests in flight at one time. */
  mostAtOnce: number;
  sockets: number;
  /** The newest request. */
  last: { readonly method: string; readonly url: string; readonly headers: IncomingMessage["headers"] } | undefined;
}

export interface Traffic {
  readonly put: ServerTraffic;
  readonly get: ServerTraffic;
  /** How many blobs were registered and paid for. A deletable blob that is stored again counts again. */
  minted: number;
  clear(): void;
}

export function createTraffic(): Traffic {
  const none = (): ServerTraffic => ({ requests: 0, mostAtOnce: 0, sockets: 0, last: undefined });
  return {
    put: none(),
    get: none(),
    minted: 0,
    clear() {
      Object.assign(this.put, none());
      Object.assign(this.get, none());
      this.minted = 0;
    },
  };
}

/** Returns how many requests are in flight: received, and neither answered nor disconnected. */
export function countTraffic(server: Server, traffic: ServerTraffic): () => number {
  let inFlight = 0;
  server.on("connection", () => {
    traffic.sockets += 1;
  });
  server.on("request", (request, response) => {
    inFlight += 1;
    traffic.requests += 1;
    traffic.mostAtOnce = Math.max(traffic.mostAtOnce, inFlight);
    traffic.last = { method: request.method ?? "", url: request.url ?? "", headers: request.headers };
    response.once("close", () => {
      inFlight -= 1;
    });
  });
  return () => inFlight;
}
