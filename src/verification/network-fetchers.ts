// Asks for what a verification needs, with no privileges: a full node of Sui, or the service if it keeps the ledger.
import type { Client } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";
import { bytesOf } from "#core/log/base64.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import type { Fetchers } from "./observe.ts";
import { ownerOf, type Sources } from "./sources.ts";

interface Asked {
  readonly client: Pick<Client, "getLedger" | "ledgerObject" | "ledgerTransaction" | "getTombstone">;
  readonly sources: Sources;
  readonly blob: (blobId: string) => Promise<FetchedBlob>;
  readonly signal: AbortSignal;
}

/** For all tries. */
const DEADLINE_MS = 10_000;
/** A server that is busy refuses, and a connection breaks now and then. */
const RETRIES = 2;

export function networkFetchers({ client, sources, blob, signal }: Asked): Fetchers {
  const { network, fullNodes } = sources;
  const options = { signal, retries: RETRIES };
  const deadline = () => AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);

  /** Asks one full node after another, until one answers. */
  async function fromNodes<T>(ask: (node: typeof import("./sui-node.ts"), url: string) => Promise<T>) {
    for (const url of fullNodes?.urls ?? []) {
      const asking = import("./sui-node.ts").then((node) => ask(node, url));
      // The next node may answer.
      const answer = await asking.catch(() => "unreachable" as const);
      if (answer !== "unreachable") return answer;
    }
    return "unreachable" as const;
  }

  return {
    packageId: async () => (await orNothing(client.getLedger(options)))?.packageId,
    object: (objectId) =>
      fullNodes === undefined
        ? localObject(client, objectId, deadline())
        : fromNodes((node, url) => node.fetchSuiObject(objectId, { network, url, signal: deadline() })),
    blob,
    tombstone: async (memoryId) => (await orNothing(client.getTombstone({ memoryId }, options)))?.tombstone,
    // One key signs every transaction of the local ledger.
    policyHolder: async (anchor) =>
      fullNodes === undefined
        ? "signer"
        : fromNodes((node, url) => node.fetchPolicyHolder(anchor, { network, url, signal: deadline() })),
    transaction: (digest) =>
      fullNodes === undefined
        ? orNothing(client.ledgerTransaction({ digest }, options))
        : fromNodes((node, url) => node.fetchSuiTransaction(digest, { network, url, signal: deadline() })).then(
            (answer) => (answer === "unreachable" ? undefined : answer),
          ),
  };
}

const orNothing = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined);

async function localObject(client: Pick<Client, "ledgerObject">, objectId: string, signal: AbortSignal) {
  try {
    const object = await client.ledgerObject({ objectId }, { signal, retries: RETRIES });
    const { owner, type, digest, previousTransaction } = object;
    const [content, bcs] = [bytesOf(object.content), bytesOf(object.bcs)];
    const kind = (owner as { readonly $kind?: unknown } | null)?.$kind;
    return { objectId: object.objectId, type, owner: ownerOf(kind), content, bcs, digest, previousTransaction };
  } catch (error) {
    return error instanceof ProblemError && error.status === 404 ? "missing" : "unreachable";
  }
}
