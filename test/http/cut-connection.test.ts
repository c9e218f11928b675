// A connection that is cut is reset, so that bytes that wait in the kernel are not sent either.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { cutConnection, rememberTransports } from "#async/cut-connection.ts";

const read = (name: string) => readFileSync(new URL(`../support/tls/${name}`, import.meta.url));
const TLS = { cert: read("cert.pem"), key: read("key.pem") };
/** More than the buffers of a connection hold. */
const BYTES = Buffer.alloc(32_000_000);

function tlsServer(): Server {
  const server = createTlsServer(TLS);
  rememberTransports(server);
  return server;
}

/** Both ends of a connection. */
async function connected(name: string): Promise<Record<"client" | "server", Socket>> {
  const server = name === "TLS" ? tlsServer() : createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, name === "TLS" ? "secureConnection" : "connection");
  const { port } = server.address() as AddressInfo;
  const options = { port, host: "127.0.0.1" };
  const client = name === "TLS" ? connectTls({ ...options, ca: TLS.cert }) : connect(options);
  client.on("error", () => undefined);
  const [socket] = (await accepted) as [Socket];
  socket.on("error", () => undefined);
  onTestFinished(() => {
    for (const each of [client, socket]) each.destroy();
    server.close();
  });
  return { client, server: socket };
}

test.for([
  ["TCP", "client", "server"],
  ["TCP", "server", "client"],
  ["TLS", "server", "client"],
] as const)("%s: when the %s cuts the connection, the %s sees a reset", async ([name, cutter, other]) => {
  const ends = await connected(name);
  const closed = new Promise((resolve) => ends[other].once("close", resolve));
  ends[other].pause();
  ends[cutter].write(BYTES);
  await new Promise((resolve) => setImmediate(resolve));
  cutConnection(ends[cutter]);
  expect(ends[cutter].destroyed).toBe(true);
  ends[other].resume();
  await closed;
  expect(ends[other].errored).toMatchObject({ code: "ECONNRESET" });
});
