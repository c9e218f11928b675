// `portcullis-client`: the client of the package as a package of its own, for programs that only call a service. It is cut
// out of dist/, and depends on nothing.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { reachedFrom } from "./specifiers.ts";

const ENTRY = packageJson.exports["./client"];

const README = `# portcullis-client

The typed client of Portcullis, gated memory for AI agents: for Node and browsers, without dependencies.

\`\`\`ts
import { createClient } from "portcullis-client";

const portcullis = createClient({ baseUrl: "http://localhost:3000" });
const { answer, receipt } = await portcullis.chat({ agentId: "assistant", query: "What should I avoid at dinner?" });
\`\`\`

Its functions are those of \`portcullis/client\` in the package of the service, whose documentation describes them.
`;

/** The path of the tarball, which is in the folder `to`. dist/ must be built. */
export function packClient(root: string, to: string): string {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-client-"));
  try {
    const { version, license, type, engines, private: isPrivate, "//private": why } = packageJson;
    const about = {
      name: "portcullis-client",
      version,
      description: "The typed client of Portcullis, gated memory for AI agents.",
      license,
      type,
    };
    const manifest = {
      ...about,
      "//private": why,
      private: isPrivate,
      engines,
      exports: { ".": ENTRY, "./package.json": "./package.json" },
    };
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(join(folder, "README.md"), README);
    cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    for (const path of reachedFrom(root, Object.values(ENTRY))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path));
    }
    const args = ["pack", "--json", "--loglevel=error", "--pack-destination", to];
    const [packed] = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
    return join(to, packed.filename);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
