// What the stand-in has seen.
import type { IncomingMessage, Server } from "node:http";

export interface Traffic {
  requests: number;
  /** The highest number of requests in hand at one time. */
  mostAtOnce: number;
  sockets: number;
  /** The newest request, as it came. */
  last: { readonly method: string; readonly url: string; readonly headers: IncomingMessage["headers"] } | undefined;
}

export interface Seen {
  readonly put: Traffic;
  readonly get: Traffic;
  /** How many blobs were registered and paid for: a deletable one that is stored again counts again. */
  minted: number;
  clear(): void;
}

export function createSeen(): Seen {
  const nothing = (): Traffic => ({ requests: 0, mostAtOnce: 0, sockets: 0, last: undefined });
  return {
    put: nothing(),
    get: nothing(),
    minted: 0,
    clear() {
      Object.assign(this.put, nothing());
      Object.assign(this.get, nothing());
      this.minted = 0;
    },
  };
}

/** Counts until the answer was sent or the connection is gone. Gives how many are in hand now. */
export function watch(server: Server, traffic: Traffic): () => number {
  let now = 0;
  server.on("connection", () => {
    traffic.sockets += 1;
  });
  server.on("request", (request, response) => {
    now += 1;
    traffic.requests += 1;
    traffic.mostAtOnce = Math.max(traffic.mostAtOnce, now);
    traffic.last = { method: request.method ?? "", url: request.url ?? "", headers: request.headers };
    response.once("close", () => {
      now -= 1;
    });
  });
  return () => now;
}
