// nginx with its defaults: it buffers replies, speaks HTTP/1.0 to the service, and gives up after 60 s without a byte.
import { documented } from "./documented-configuration.ts";
import { type ProxyProcess, startProxy } from "./proxy-process.ts";

export const startNginx = (target: string): Promise<ProxyProcess> =>
  startWith(
    (port) => `server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${target};
    }
  }`,
  );

/** As docs/proxies.md configures it, for the replicas on these ports. */
export const startNginxBalancer = (replicas: readonly number[]): Promise<ProxyProcess> =>
  startWith((port) => documented("nginx", port, replicas));

function startWith(servers: (port: number) => string): Promise<ProxyProcess> {
  return startProxy({
    program: "nginx",
    args: (file, folder) => ["-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off;"],
    configuration: ({ port, folder }) => `
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ")}
  ${servers(port)}
}
`,
  });
}
