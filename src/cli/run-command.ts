// Runs one command line: parses it, loads the one module that it needs, and turns every end into an exit code.
import { readFileSync } from "node:fs";
import type { Invocation, Runs, Streams } from "./invocation.ts";
import { type Parsed, parseCommand } from "./parse-command.ts";
import { EXIT } from "./table/command.ts";
import { type CommandName, commandOf } from "./table/command-table.ts";
import { safeJson, safeText } from "./terminal/safe-text.ts";

export async function runCommand(args: readonly string[], streams: Streams): Promise<number> {
  let name: CommandName | undefined;
  try {
    const parsed = parseCommand(args);
    if (parsed.kind === "command") name = parsed.name;
    return (await run(parsed, streams)) ?? EXIT.done;
  } catch (error) {
    if (isClosedPipe(error)) return EXIT.done;
    if (streams.signal.aborted) return EXIT.interrupted;
    return fail(error, name ?? nameIn(args), streams, args);
  }
}

async function run(parsed: Parsed, streams: Streams): Promise<number | undefined> {
  if (parsed.kind === "version") {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    return void (await streams.out.write(`portcullis ${version}\n`));
  }
  if (parsed.kind === "help") {
    const { helpText } = await import("./help-text.ts");
    return void (await streams.out.write(helpText(parsed.about)));
  }
  const { name, values, positionals } = parsed;
  const { runs } = await commandModules[name]();
  // The parser has checked the values by the table, which also gives them their types.
  const command = (runs as Runs<RunnableName>)[name];
  const { url: _, keyFile: __, tenant: ___, json: isJson, ...wanted } = values;
  return command({ ...streams, ...printers(streams, isJson), values, wanted, positionals } as never);
}

type Printers = Pick<Invocation<CommandName>, "print" | "say" | "json" | "tell">;

function printers({ out, err }: Streams, isJson = false): Printers {
  const print: Printers["print"] = async (text) => void (await out.write(`${safeText(text)}\n`));
  const say: Printers["say"] = async (text) => void (await err.write(`${safeText(text)}\n`));
  const json: Printers["json"] = async (value) => void (await out.write(`${safeJson(JSON.stringify(value))}\n`));
  async function tell(value: unknown, words: { readonly print?: string; readonly say?: string }): Promise<undefined> {
    if (isJson) return json(value);
    for (const [how, text] of Object.entries(words))
      if (text !== undefined) await (how === "print" ? print : say)(text);
  }
  return { print, say, json, tell };
}

/** The reader has enough: `portcullis memories | head`. */
const isClosedPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EPIPE";

/** A usage error comes before the command is known to be right. */
function nameIn(args: readonly string[]): CommandName | undefined {
  const [first = "", second = ""] = args;
  return [`${first} ${second}`, first].find((name): name is RunnableName => Object.hasOwn(commandModules, name));
}

async function fail(
  error: unknown,
  name: CommandName | undefined,
  { err }: Streams,
  args: readonly string[],
): Promise<number> {
  const { failureOf } = await import("./failure.ts");
  const { exitCode: usual, code = "failed", sentence } = failureOf(error, name);
  const own = name && commandOf(name).failureCode;
  const exitCode = (typeof own === "function" ? own(args) : own) ?? usual;
  const text = args.includes("--json")
    ? safeJson(JSON.stringify({ error: { code, message: sentence, exitCode } }))
    : `${name ?? "portcullis"}: ${safeText(sentence)}`;
  await err.write(`${text}\n`).catch(() => undefined);
  return exitCode;
}

// Where each command is. A module is loaded when its command runs, so that none pays for another.

/** Help needs no module: the parser turns it into the help of what was asked for. */
export type RunnableName = Exclude<CommandName, "help">;

type Modules = { readonly [N in RunnableName]: () => Promise<{ readonly runs: Runs<N> }> };

const of = <N extends RunnableName>(load: () => Promise<{ readonly runs: Runs<N> }>, ...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, load])) as Pick<Modules, N>;

export const commandModules: Modules = {
  ...of(() => import("./commands/answers.ts"), "chat", "recall", "explain"),
  ...of(() => import("./commands/memories/learn.ts"), "learn"),
  ...of(() => import("./commands/memories/memories.ts"), "remember", "memories", "forget"),
  ...of(() => import("./commands/memories/memories.ts"), "proposals list", "proposals accept", "proposals decline"),
  ...of(() => import("./commands/policy.ts"), "policy", "policy allow", "policy revoke"),
  ...of(() => import("./commands/policy.ts"), "policy remove", "policy apply"),
  ...of(() => import("./commands/receipts.ts"), "receipts", "anchor", "events"),
  ...of(() => import("./commands/proof.ts"), "proof"),
  ...of(() => import("./commands/hook.ts"), "hook"),
  ...of(() => import("./commands/verify.ts"), "verify"),
  ...of(() => import("./commands/transfer.ts"), "import", "export"),
  ...of(() => import("./commands/service.ts"), "mcp", "serve", "health"),
  ...of(() => import("./commands/database/records.ts"), "fsck", "prune", "blobs renew"),
  ...of(() => import("./commands/database/backups.ts"), "backup", "restore"),
  ...of(() => import("./commands/publish-package.ts"), "chain publish"),
  ...of(() => import("./commands/keys.ts"), "keys create", "keys list", "keys rotate", "keys revoke"),
  ...of(() => import("./commands/signing-keys.ts"), "signing-keys list", "signing-keys rotate", "signing-keys end"),
  ...of(() => import("./commands/signing-keys.ts"), "encryption status", "encryption rotate"),
  ...of(() => import("./commands/log/witness.ts"), "witness"),
  ...of(() => import("./commands/log/monitor.ts"), "monitor"),
  ...of(() => import("./commands/tenants.ts"), "tenants create", "tenants list", "tenants show"),
  ...of(() => import("./commands/tenants.ts"), "tenants suspend", "tenants resume", "tenants delete"),
  ...of(() => import("./completion.ts"), "completion"),
};

// Ctrl-C: a command that talks to a service ends its request and cleans up. The others die at once, as programs do: they
// leave nothing half done that a next run would not mend, and the service has its own way to stop.

const GRACE_MS = 2_000;

export function abortOnInterrupt(args: readonly string[]): AbortSignal {
  const controller = new AbortController();
  const name = nameIn(args);
  if (name === undefined || name === "mcp" || commandOf(name).talksTo !== "service") return controller.signal;
  process.once("SIGINT", () => {
    controller.abort();
    // A second one ends it at once: the handler is gone by then.
    setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  });
  return controller.signal;
}
