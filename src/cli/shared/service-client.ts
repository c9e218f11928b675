// The typed client for the service that the options or the environment name.
import { optionFile, type Streams, UsageError } from "#cli/invocation.ts";
import type { SERVICE, Values } from "#cli/table/command.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import { configurationError } from "#core/errors.ts";
import { isTrustworthyUrl } from "#core/identity/issuer-url.ts";

const DEFAULT_URL = "http://127.0.0.1:3000";
/** Longer than any answer, anchor or deep verification may take. */
const CALL_MS = 600_000;
const RETRIES = 2;

interface Asked extends Pick<Streams, "clientEnvironment" | "signal"> {
  readonly values: Omit<Values<typeof SERVICE>, "json" | "help">;
}

/** Its calls end with Ctrl-C. */
export async function openClient(asked: Asked): Promise<{ readonly client: Client; readonly url: string }> {
  const { url, key } = await serviceAddress(asked);
  const { values, signal } = asked;
  const limits = { timeoutMs: CALL_MS, retries: RETRIES, signal };
  return { client: createClient({ baseUrl: url, bearer: key, tenant: values.tenant, ...limits }), url };
}

/** The URL has no slash at its end. A key goes over TLS, or stays on this machine. */
export async function serviceAddress({ values, clientEnvironment }: Omit<Asked, "signal">) {
  const environment = clientEnvironment();
  const given = values.url ?? environment.url ?? DEFAULT_URL;
  const parsed = URL.parse(given);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.search + parsed.hash !== "")
    throw new UsageError("The URL of the service begins with http:// or https://, and has no query.");
  if (parsed.username + parsed.password !== "")
    throw new UsageError("The URL of the service has no user and no password. Set PORTCULLIS_KEY.");
  const url = parsed.href.replace(/\/+$/, "");
  const key = values.keyFile === undefined ? environment.key : await keyIn(values.keyFile);
  if (key !== undefined && !isTrustworthyUrl(url))
    throw configurationError(`${parsed.origin} is not encrypted, so the key is not sent to it. Use https://.`);
  return { url, key };
}

async function keyIn(path: string): Promise<string> {
  const key = (await optionFile("--key-file", path)).trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw configurationError("The file of --key-file must hold one key, and nothing else.");
}
