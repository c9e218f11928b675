// A reverse proxy for one test that serves the service below a path and knows nothing else, as in a company's one host.
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface PrefixProxy {
  readonly origin: string;
  /** Requests that were not below the path. */
  readonly strays: readonly string[];
}

/** With `strips` the path is taken away; with `says` X-Forwarded-Prefix tells it. */
export async function prefixProxyForTest(
  target: string,
  prefix: string,
  { strips, says }: { readonly strips: boolean; readonly says: boolean },
): Promise<PrefixProxy> {
  const strays: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const url = incoming.url ?? "";
    if (!`${url}/`.startsWith(`${prefix}/`)) {
      strays.push(url);
      outgoing.writeHead(404).end();
      return;
    }
    const path = strips ? url.slice(prefix.length) || "/" : url;
    const headers = { ...incoming.headers, ...(says && { "x-forwarded-prefix": prefix }) };
    const passed = request(`${target}${path}`, { method: incoming.method, headers, agent: false }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.on("error", () => outgoing.destroy()).pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, strays };
}
