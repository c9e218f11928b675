// The servers that this browser asks, and who chose them.
import { FULL_NODES } from "#core/verify/assurance.ts";
import type { LedgerSource } from "#core/verify/labels.ts";
import type { FetchedObject } from "#core/verify/observation.ts";

export interface Sources {
  readonly network: string;
  /** Undefined for the local ledger, which the service keeps. */
  readonly fullNodes?: { readonly urls: readonly string[]; readonly chosenBy: "page" | "reader" | "operator" };
  /** Empty when the service itself has the blobs: its mock store. */
  readonly aggregator: string;
}

interface ServiceInfo {
  readonly ledger: { readonly network: string; readonly url?: string | undefined };
  readonly blobs: { readonly aggregator: string };
}

/** The reader's full node comes first, then those that this page knows. The operator's is asked only if there is no other. */
export function sourcesOf({ ledger, blobs }: ServiceInfo, readersNode: string | undefined): Sources {
  const { network, url } = ledger;
  const { aggregator } = blobs;
  if (url === undefined) return { network, aggregator };
  if (readersNode !== undefined) return { network, aggregator, fullNodes: { urls: [readersNode], chosenBy: "reader" } };
  const known = FULL_NODES.get(network);
  if (known !== undefined) return { network, aggregator, fullNodes: { urls: known, chosenBy: "page" } };
  return { network, aggregator, fullNodes: { urls: [url], chosenBy: "operator" } };
}

export function ledgerSourceOf({ fullNodes }: Sources): LedgerSource {
  if (fullNodes === undefined) return "local";
  return fullNodes.chosenBy === "operator" ? "operators-node" : "own-node";
}

/** From the SDK's name of an owner's kind. */
export function ownerOf(kind: unknown): FetchedObject["owner"] {
  if (kind === "Immutable") return "immutable";
  return kind === "Shared" ? "shared" : "other";
}
