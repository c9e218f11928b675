// What a global set-up makes for the tests, which run in other processes. They ask for it over loopback and wait until it
// is there.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface LateAnswer {
  readonly url: string;
  close(): void;
}

/** A URL that answers with the text that `make` resolves to. It is called for each request. */
export async function answerLate(make: () => Promise<string>): Promise<LateAnswer> {
  const secret = `/${randomUUID()}`;
  const server = createServer(async (request, response) => {
    if (request.url !== secret) return void response.writeHead(404).end();
    const [status, text] = await make().then(
      (answer) => [200, answer] as const,
      (error) => [500, String(error)] as const,
    );
    response.writeHead(status).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${secret}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function askLate(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
