// The configurations that docs/proxies.md shows, for replicas and a proxy on loopback.
import { readFileSync } from "node:fs";

const PAGE = new URL("../../../docs/proxies.md", import.meta.url);

/** The first example for this proxy. TLS and the addresses are replaced: the proxy listens on `port`. */
export function documented(proxy: "haproxy" | "nginx", port: number, replicas: readonly number[]): string {
  const [, example] = new RegExp(`\`\`\`${proxy}\\n([^]*?)\`\`\``).exec(readFileSync(PAGE, "utf8")) ?? [];
  if (example === undefined) throw new Error(`docs/proxies.md has no example for ${proxy}.`);
  let used = 0;
  return example
    .replaceAll(/10\.0\.0\.\d+:3000/g, () => `127.0.0.1:${replicas[used++]}`)
    .replace(/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port}`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_certificate.*$/gm, "");
}
