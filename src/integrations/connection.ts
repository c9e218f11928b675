// How an adapter reaches the service: by a client of the caller's, or by an address and a key.
import { type Client, createClient } from "#contract/client/client.ts";
import type { CallOptions } from "#contract/client/send-request.ts";

export type Connection<Routes extends keyof Client> =
  | { readonly client: Pick<Client, Routes> }
  | {
      /** Where the service is, `http://127.0.0.1:3000` for example. */
      readonly url: string;
      /** A key or a token, for a service that has identities. */
      readonly key?: string | undefined;
    };

export interface Speaker {
  /** The agent that asks and captures. An agent's own key is that agent, and needs no name. */
  readonly agentId?: string | undefined;
}

export function connect<Routes extends keyof Client>(connection: Connection<Routes>): Pick<Client, Routes> {
  if ("client" in connection) return connection.client;
  return createClient({ baseUrl: connection.url, bearer: connection.key, retries: RETRIES });
}

const RETRIES = 2;
const CALL_MS = 30_000;

/** The deadline of one call, and the caller's own signal. */
export const within = (signal: AbortSignal | undefined, timeoutMs = CALL_MS): CallOptions => ({ signal, timeoutMs });
