// The arguments of `npm start -- …` and `portcullis serve …`. Everything else is configured with variables.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { configurationError } from "#core/errors.ts";

/** A file of its own, because `npm start -- --help` shows it before anything is installed. */
export const serveHelp = (): string => readFileSync(new URL("./help.txt", import.meta.url), "utf8");

/** Resolves when the service is ready. It then runs until a signal stops it. */
export async function serveFromArguments(args: readonly string[]): Promise<void> {
  const { secure, help, version } = parseServeOptions(args);
  if (help) return void process.stdout.write(serveHelp());
  const { serve, VERSION } = await import("#serve.ts");
  if (version) return void process.stdout.write(`portcullis ${VERSION}\n`);
  await serve({ secure });
}

export function parseServeOptions(args: readonly string[]) {
  try {
    const options = {
      secure: { type: "boolean", default: false },
      help: { type: "boolean", default: false, short: "h" },
      version: { type: "boolean", default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw configurationError("The options are --secure, --version and --help.", cause);
  }
}
