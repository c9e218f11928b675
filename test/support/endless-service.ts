// A service that sends one reply without an end: as fast as it is read, up to a number of bytes at which it closes the
// connection by itself.
import { createServer, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const STOPS_AT = 256 * 1024 * 1024;

interface Endless {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly begin?: string | Uint8Array;
  /** Sent again and again. */
  readonly piece: string | Uint8Array;
  /** Of requests to other paths: their whole replies. */
  readonly others?: Readonly<Record<string, unknown>>;
}

export async function endlessService({ status = 200, headers = {}, begin = "", piece, others = {} }: Endless) {
  let sent = 0;
  let [open, requests] = [0, 0];
  const bytes = Buffer.alloc(piece.length === 0 ? 0 : 64 * 1024, piece);
  function send(response: ServerResponse): void {
    while (sent < STOPS_AT && !response.destroyed) {
      sent += bytes.length;
      if (!response.write(bytes)) return;
    }
    response.destroy();
  }
  const server = createServer((request, response) => {
    const other = others[request.url ?? ""];
    if (other !== undefined)
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(other));
    [open, requests] = [open + 1, requests + 1];
    response.on("close", () => {
      open -= 1;
    });
    response.on("error", () => undefined);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    if (bytes.length === 0) return void response.end(begin);
    if (begin.length > 0) response.write(begin);
    response.on("drain", () => send(response));
    send(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    stopsAt: STOPS_AT,
    requests: () => requests,
    /** Connections on which a reply is under way. */
    open: () => open,
  };
}
