// Runs one command line: parses it, loads the one module that it needs, and turns every end into an exit code.
import { readFileSync } from "node:fs";
import { commandModules, type RunnableName } from "./command-modules.ts";
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
    return fail(error, name ?? nameIn(args), streams, args.includes("--json"));
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
  return command({ ...streams, ...printers(streams), values, positionals } as never);
}

function printers({ out, err }: Streams): Pick<Invocation<CommandName>, "print" | "say" | "json"> {
  return {
    print: (text) => out.write(`${safeText(text)}\n`),
    say: (text) => err.write(`${safeText(text)}\n`),
    json: (value) => out.write(`${safeJson(JSON.stringify(value))}\n`),
  };
}

/** The reader has enough: `portcullis memories | head`. */
const isClosedPipe = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EPIPE";

/** A usage error comes before the command is known to be right. */
function nameIn(args: readonly string[]): CommandName | undefined {
  const [first = "", second = ""] = args;
  return [`${first} ${second}`, first].find((name): name is RunnableName => Object.hasOwn(commandModules, name));
}

async function fail(error: unknown, name: CommandName | undefined, { err }: Streams, isJson: boolean): Promise<number> {
  const { failureOf } = await import("./failure.ts");
  const { exitCode, code = "failed", sentence } = failureOf(error, name);
  const text = isJson
    ? safeJson(JSON.stringify({ error: { code, message: sentence, exitCode } }))
    : `${name ?? "portcullis"}: ${safeText(sentence)}`;
  await err.write(`${text}\n`).catch(() => undefined);
  return (name && commandOf(name).failureCode) ?? exitCode;
}
