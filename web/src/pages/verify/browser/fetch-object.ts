// An object of the ledger, as this browser gets it: from a full node of Sui where there is one. A local ledger lives in
// the service, so there it is the service's own word.
import { ProblemError } from "#contract/problem.ts";
import { client } from "#web/api/client.ts";
import { type Found, foundObject } from "./fetched-object.ts";

const DEADLINE_MS = 10_000;

/** `node`: the URL of a full node; undefined for the local ledger. */
export async function findObject(
  objectId: string,
  { network, url: node }: { readonly network: string; readonly url?: string | undefined },
  signal: AbortSignal,
): Promise<Found> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  if (node === undefined) return findLocally(objectId, patience);
  try {
    // The SDK is large: only who checks against Sui loads it.
    const { findOnSui } = await import("./fetch-sui-object.ts");
    return await findOnSui({ objectId, network, node, signal: patience });
  } catch {
    return "unreachable";
  }
}

async function findLocally(objectId: string, signal: AbortSignal): Promise<Found> {
  try {
    const object = await client.ledgerObject({ objectId }, { signal });
    const isFrozen = (object.owner as { readonly $kind?: unknown } | null)?.$kind === "Immutable";
    const { type, previousTransaction } = object;
    const content = Uint8Array.from(atob(object.content), (c) => c.charCodeAt(0));
    return foundObject({ objectId: object.objectId, type, isFrozen, content, previousTransaction });
  } catch (error) {
    return error instanceof ProblemError && error.status === 404 ? "missing" : "unreachable";
  }
}
