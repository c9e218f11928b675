// npm run api-examples: writes what the commands of docs/api.md print into its examples. What an example leaves out stays
// left out.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFreshService } from "../fresh-service.ts";
import { runExamples } from "./examples.ts";
import { startShell } from "./shell-session.ts";

const FILE = new URL("../../docs/api.md", import.meta.url);

const service = await startFreshService();
const folder = mkdtempSync(join(tmpdir(), "portcullis-examples-"));
const shell = await startShell({ folder });
const { updated } = await runExamples(readFileSync(FILE, "utf8"), { shell, url: service.url });
writeFileSync(FILE, updated);
await shell.end();
rmSync(folder, { recursive: true });
await service.stop();
