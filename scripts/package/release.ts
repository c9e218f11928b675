// npm run -s release: packs the package, checks the tarball, and says how it is installed. With --check it keeps nothing.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readTarball, sha256Of, tarballFaults } from "./check-tarball.ts";
import { packClient } from "./client-package.ts";
import { pack } from "./pack.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const folder = values.check ? mkdtempSync(join(tmpdir(), "portcullis-release-")) : process.cwd();
try {
  const tarball = await pack(ROOT, folder);
  const { size } = statSync(tarball);
  const files = readTarball(tarball);
  const faults = tarballFaults(files, size);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else {
    console.log(`${basename(tarball)}  ${files.size} files, ${(size / 2 ** 20).toFixed(1)} MB`);
    console.log(`sha256  ${sha256Of(tarball)}`);
    const client = packClient(ROOT, folder);
    console.log(`sha256  ${sha256Of(client)}  ${basename(client)}, the client alone`);
    const verifier = join(folder, "verify.html");
    writeFileSync(verifier, files.get("web/dist/verify.html") ?? "");
    console.log(`sha256  ${sha256Of(verifier)}  verify.html, a verifier for whoever does not trust the service`);
    console.log(`npm install ${values.check ? `./${basename(tarball)}` : resolve(tarball)}`);
  }
} finally {
  if (values.check) rmSync(folder, { recursive: true });
}
