// Fetches an object of the ledger: from a full node of Sui, or from the service when it uses the local ledger.
import { ProblemError } from "#contract/problem.ts";
import type { FetchedObject } from "#core/verify/observation.ts";
import { client } from "#web/api/client.ts";
import { ownerOf } from "./owner.ts";
import type { Sources } from "./sources.ts";

const DEADLINE_MS = 10_000;

type ObjectResult = FetchedObject | "missing" | "unreachable";

/** Asks one full node after another, until one answers. */
export async function fetchObject(
  objectId: string,
  { network, fullNodes }: Sources,
  signal: AbortSignal,
): Promise<ObjectResult> {
  const deadline = () => AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  if (fullNodes === undefined) return fetchLocalObject(objectId, deadline());
  for (const url of fullNodes.urls) {
    try {
      // The SDK is large, so it is loaded for a check against Sui only.
      const { fetchSuiObject } = await import("./fetch-sui-object.ts");
      const object = await fetchSuiObject({ objectId, network, url, signal: deadline() });
      if (object !== "unreachable") return object;
    } catch {
      // The next node may answer.
    }
  }
  return "unreachable";
}

async function fetchLocalObject(objectId: string, signal: AbortSignal): Promise<ObjectResult> {
  try {
    const { owner, type, digest, previousTransaction, content, bcs, ...object } = await client.ledgerObject(
      { objectId },
      { signal },
    );
    return {
      objectId: object.objectId,
      type,
      owner: ownerOf((owner as { readonly $kind?: unknown } | null)?.$kind),
      content: bytesOf(content),
      bcs: bytesOf(bcs),
      digest,
      previousTransaction,
    };
  } catch (error) {
    return error instanceof ProblemError && error.status === 404 ? "missing" : "unreachable";
  }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
