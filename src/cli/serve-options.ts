// The arguments of `npm start -- …`. Everything else is configured with variables.
import { parseArgs } from "node:util";
import { PortcullisError } from "#core/errors.ts";

export const SERVE_HELP = `npm start -- [options]

  --secure   callers need a key (the same as AUTH=keys); the first start prints the first admin's key, once
  --help     this text

Variables, from the environment or from a file .env: see README.md, "Configure it".
`;

export function parseServeOptions(args: readonly string[]): { readonly secure: boolean; readonly help: boolean } {
  try {
    const options = { secure: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new PortcullisError("configuration", "The options are --secure and --help.", { cause });
  }
}
