// A plain proxy, as a process: it passes each request on to one server, and the reply back.
import { Agent, createServer, request } from "node:http";

const { HOST, PORT, TARGET = "" } = process.env;
const agent = new Agent({ keepAlive: true });

createServer((incoming, outgoing) => {
  if (incoming.url === "/readyz") return void outgoing.end("ready");
  const { method = "", headers } = incoming;
  const passed = request(`${TARGET}${incoming.url}`, { method, headers, agent }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  incoming.pipe(passed);
}).listen(Number(PORT), HOST ?? "127.0.0.1");
process.on("SIGTERM", () => process.exit());
