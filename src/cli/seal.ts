// npm run seal: the key of sealed namespaces: which memories it wraps, and its rotation.
import { parseArgs } from "node:util";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import type { Deps } from "#service/deps.ts";
import { rotateSealKey } from "#service/sealing/rotate-seal-key.ts";
import { progressBar, runCommand } from "./terminal.ts";
import { withDeps } from "./with-deps.ts";

const HELP = `Shows which keys seal memories, and moves all of them to the key of today.

  npm run seal -- status [--json]
  npm run seal -- rotate

status counts sealed memories, superseded ones included, by the id of the key that wraps theirs.
rotate wraps the keys of all sealed memories with SEAL_KEY. Set the new key as SEAL_KEY and the old one in SEAL_KEY_FORMER,
start every replica of the service again, then run this. It may run beside the service, and be run again when it was ended.
When it says that all are done, the old key can be taken out of SEAL_KEY_FORMER. Keep it as long as backups that need it.

It reads the same environment as the service (DATABASE_URL, SEAL_KEY…). Exits with 1 when something failed, or when the key
of some memories is not configured.`;

const MEANING = {
  current: "SEAL_KEY",
  former: "a former key",
  missing: "not configured: these memories cannot be opened",
};

await runCommand("seal", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [command, ...rest] = positionals;
  if (rest.length > 0) throw configurationError("There are too many arguments. --help shows the commands.");
  const config = readConfig(readEnvironment());
  switch (command) {
    case "status":
      return withDeps(config, (deps) => status(deps, values.json));
    case "rotate":
      return withDeps(config, rotate);
    default:
      throw configurationError("The commands are status and rotate. --help shows more.");
  }
});

async function status({ records, cipher }: Deps, isJson: boolean): Promise<void> {
  const [today, ...former] = cipher.keyIds();
  const counts = await records.seals.counts();
  for (const keyId of new Set([...(today === undefined ? [] : [today]), ...counts.keys()])) {
    const role = keyId === today ? "current" : former.includes(keyId) ? "former" : "missing";
    const row = { keyId, memories: counts.get(keyId) ?? 0, key: role };
    process.stdout.write(
      isJson ? `${JSON.stringify(row)}\n` : `${keyId}  ${row.memories} memories  ${MEANING[role]}\n`,
    );
  }
}

async function rotate(deps: Deps): Promise<void> {
  const bar = progressBar(1);
  const { rewrapped, unknown } = await rotateSealKey(deps, (done, total) =>
    bar.show(done / Math.max(total, 1), `${done} of ${total} keys`),
  );
  bar.print(`${rewrapped} keys are wrapped by SEAL_KEY now.`);
  if (unknown === 0) return void process.stderr.write("No memory needs a former key.\n");
  throw configurationError(
    `The key of ${unknown} memories is not configured. Add it to SEAL_KEY_FORMER, and run this again.`,
  );
}
