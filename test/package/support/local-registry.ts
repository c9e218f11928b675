// A registry of npm packages on loopback that has the packages of this clone's node_modules and no others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";

interface Installed {
  readonly folder: string;
  readonly manifest: { readonly name: string; readonly version: string };
}

export interface LocalRegistry {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startRegistry(root: string): Promise<LocalRegistry> {
  const packages = installedPackages(root);
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const [name = "", version] = decodeURIComponent(request.url ?? "/")
      .slice(1)
      .split("/-/");
    const versions = packages.get(name);
    if (versions === undefined) return void response.writeHead(404).end("{}");
    if (version !== undefined) return sendTarball(response, versions.get(version)?.folder ?? "");
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(packument(name, versions, `http://127.0.0.1:${port}`)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** By name, then by version. npm writes down what it has installed. */
function installedPackages(root: string): Map<string, Map<string, Installed>> {
  const lock = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8"));
  const found = new Map<string, Map<string, Installed>>();
  for (const path of Object.keys(lock.packages)) {
    const folder = join(root, path);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const versions = found.get(manifest.name) ?? new Map<string, Installed>();
    found.set(manifest.name, versions.set(manifest.version, { folder, manifest }));
  }
  return found;
}

function packument(name: string, versions: ReadonlyMap<string, Installed>, origin: string) {
  const entries = [...versions].map(([version, { manifest }]) => {
    const dist = { tarball: `${origin}/${name}/-/${version}` };
    return [version, { ...manifest, dist }] as const;
  });
  return { name, "dist-tags": { latest: entries.at(-1)?.[0] }, versions: Object.fromEntries(entries) };
}

/** npm leaves out the first part of the paths, whatever its name is. It also reads tarballs that are not compressed. */
function sendTarball(response: ServerResponse, folder: string): void {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  const args = ["-cf", "-", `--exclude=${basename(folder)}/node_modules`, basename(folder)];
  spawn("tar", args, { cwd: dirname(folder), stdio: ["ignore", "pipe", "inherit"] }).stdout.pipe(response);
}
