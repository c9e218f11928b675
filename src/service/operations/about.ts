import type { Deps } from "#service/deps.ts";

/** What the service runs on, for banners that are honest and for verifiers that do not trust us. */
export interface About {
  readonly version: string;
  /** `aggregator`: where anyone can GET `/v1/blobs/<blobId>`; empty when that is the service itself. */
  readonly blobs: { readonly kind: "memory" | "walrus"; readonly aggregator: string };
  readonly model: "extractive" | "openai-compatible";
  /** Absent when the ledger is the local one. */
  readonly fullNode?: string;
  readonly records: "sqlite" | "postgres";
}

export function aboutService({ about, model, ledger }: Deps) {
  const { version, blobs, records } = about;
  return {
    version,
    blobs,
    model: { kind: about.model, name: model.name },
    ledger: { network: ledger.network, ...fullNodeOf(about) },
    records,
  };
}

/** Apart from the rest, because the local ledger is opened for it: that takes time and room. */
export async function aboutLedger({ about, ledger }: Deps) {
  return { network: ledger.network, packageId: await ledger.packageId(), ...fullNodeOf(about) };
}

const fullNodeOf = ({ fullNode }: About): { url?: string } => (fullNode === undefined ? {} : { url: fullNode });
