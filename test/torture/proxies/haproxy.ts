// HAProxy with the defaults of Debian's haproxy.cfg and its standard check.
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ProxyProcess, startProxy } from "./proxy-process.ts";

export interface Haproxy extends ProxyProcess {
  /** How HAProxy sees a server: `UP`, `DOWN`, or on the way from one to the other. */
  statusOf(server: string): Promise<string>;
}

export async function startHaproxy(servers: ReadonlyMap<string, number>): Promise<Haproxy> {
  const proxy = await startProxy({
    program: "haproxy",
    args: (file) => ["-db", "-f", file],
    configuration: ({ port, folder }) => `
global
	stats socket ${join(folder, "stats.sock")} mode 600 level admin

defaults
	mode	http
	option	httplog
	option	dontlognull
	timeout connect 5000
	timeout client  50000
	timeout server  50000

frontend memory
	bind 127.0.0.1:${port}
	default_backend replicas

backend replicas
	option httpchk
${[...servers].map(([name, at]) => `\tserver ${name} 127.0.0.1:${at} check`).join("\n")}
`,
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
