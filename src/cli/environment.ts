// The environment of the commands that talk to a service. It is that of the process alone, without a file `.env`: in the
// folder of a stranger, such a file could name another service, which would then be sent the user's key.
import type { ClientEnvironment } from "./invocation.ts";

export const CLIENT_VARIABLES = ["PORTCULLIS_URL", "PORTCULLIS_KEY"] as const;

/** An empty variable counts as not set. */
export function readClientEnvironment(): ClientEnvironment {
  const { PORTCULLIS_URL, PORTCULLIS_KEY } = process.env;
  return { url: PORTCULLIS_URL?.trim() || undefined, key: PORTCULLIS_KEY?.trim() || undefined };
}
