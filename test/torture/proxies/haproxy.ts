// HAProxy as docs/proxies.md configures it.
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { documented } from "./documented-configuration.ts";
import { type ProxyProcess, startProxy } from "./proxy-process.ts";

export interface Haproxy extends ProxyProcess {
  /** How HAProxy sees a server: `UP`, `DOWN`, or on the way from one to the other. */
  statusOf(server: string): Promise<string>;
}

/** The replicas on these ports are the servers a, b and c. */
export async function startHaproxy(servers: readonly number[]): Promise<Haproxy> {
  const proxy = await startProxy({
    program: "haproxy",
    args: (file) => ["-db", "-f", file],
    configuration: ({ port, folder }) => `
global
	stats socket ${join(folder, "stats.sock")} mode 600 level admin

${documented("haproxy", port, servers)}`,
  });
  return {
    ...proxy,
    async statusOf(server) {
      const socket = connect(join(proxy.folder, "stats.sock"));
      socket.end("show stat\n");
      const [head = "", ...rows] = (await text(socket)).split("\n").map((row) => row.split(","));
      const [name, status] = [head.indexOf("svname"), head.indexOf("status")];
      return rows.find((row) => row[name] === server)?.[status] ?? "unknown";
    },
  };
}
