// Fetches an object of the ledger: from a full node of Sui, or from the service when it uses the local ledger.
import { ProblemError } from "#contract/problem.ts";
import { client } from "#web/api/client.ts";
import { decodeObject, type ObjectResult } from "./fetched-object.ts";

const DEADLINE_MS = 10_000;

export interface LedgerSource {
  readonly network: string;
  /** The URL of a full node; undefined for the local ledger. */
  readonly url?: string | undefined;
}

export async function fetchObject(
  objectId: string,
  { network, url }: LedgerSource,
  signal: AbortSignal,
): Promise<ObjectResult> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  if (url === undefined) return fetchLocalObject(objectId, deadline);
  try {
    // The SDK is large, so it is loaded for a check against Sui only.
    const { fetchSuiObject } = await import("./fetch-sui-object.ts");
    return await fetchSuiObject({ objectId, network, url, signal: deadline });
  } catch {
    return "unreachable";
  }
}

async function fetchLocalObject(objectId: string, signal: AbortSignal): Promise<ObjectResult> {
  try {
    const object = await client.ledgerObject({ objectId }, { signal });
    const isFrozen = (object.owner as { readonly $kind?: unknown } | null)?.$kind === "Immutable";
    const { type, previousTransaction } = object;
    const content = Uint8Array.from(atob(object.content), (c) => c.charCodeAt(0));
    return decodeObject({ objectId: object.objectId, type, isFrozen, content, previousTransaction });
  } catch (error) {
    return error instanceof ProblemError && error.status === 404 ? "missing" : "unreachable";
  }
}
