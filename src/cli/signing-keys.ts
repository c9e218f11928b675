// npm run signing-keys: lists, rotates and ends the keys that sign receipts, directly on the records.
import { parseArgs } from "node:util";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import type { PublicSigningKey } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import { runCommand } from "./terminal.ts";
import { withDeps } from "./with-deps.ts";

const HELP = `Lists, rotates and ends the keys that sign receipts.

  npm run signing-keys -- list [--json]
  npm run signing-keys -- rotate
  npm run signing-keys -- end <keyId>

rotate makes a new key. It signs from now on, and the old one stays good for what it has signed.
end is for a key that others may have: nothing that is anchored from now on counts as signed by it, and its private half
is forgotten. What was anchored before stays good. If it was the key that signs, a new one takes its place.

It reads the same environment as the service (DATABASE_URL), and may run beside it: every process follows within seconds.
Exits with 1 when something failed.`;

await runCommand("signing-keys", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
  });
  const [command, keyId, ...rest] = positionals;
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (rest.length > 0) throw configurationError("There are too many arguments. --help shows the commands.");
  const work = workOf(command, keyId, values.json);
  return withDeps(readConfig(readEnvironment()), work);
});

function workOf(command: string | undefined, keyId: string | undefined, isJson: boolean) {
  switch (command) {
    case "list":
      return async ({ records }: Deps) => {
        for (const key of await records.signingKeys.list()) process.stdout.write(`${lineOf(key, isJson)}\n`);
      };
    case "rotate":
      return async ({ records, now }: Deps) => {
        const key = await addSigningKey(records, now());
        process.stderr.write(`${key.keyId} signs from now on.\n`);
      };
    case "end":
      if (keyId === undefined) throw configurationError("Name the key to end. list shows them.");
      return (deps: Deps) => end(deps, keyId);
    default:
      throw configurationError("The commands are list, rotate and end. --help shows more.");
  }
}

async function end({ records, now }: Deps, keyId: string): Promise<void> {
  const at = now().toISOString();
  // Not an older one: it was rotated for a reason.
  if ((await records.signingKeys.signing())?.keyId === keyId) await addSigningKey(records, now());
  if (!(await records.signingKeys.end(keyId, at)))
    throw configurationError(`There is no key ${keyId} that has not ended. list shows them.`);
  process.stderr.write(`${keyId} has ended at ${at}.\n`);
}

function lineOf({ keyId, publicKey, createdAt, endedAt }: PublicSigningKey, isJson: boolean): string {
  const hex = Buffer.from(publicKey).toString("hex");
  if (isJson) return JSON.stringify({ keyId, publicKey: hex, createdAt, ...(endedAt !== undefined && { endedAt }) });
  return `${keyId}  ${hex}  ${createdAt}${endedAt === undefined ? "" : `  ended ${endedAt}`}`;
}
