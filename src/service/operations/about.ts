import type { LanguageModel, Ledger, MemoryCipher, RecordStore } from "#ports.ts";

/** What the service runs on. Pages show it, and verifiers use its addresses instead of asking the service. */
export interface About {
  readonly version: string;
  /** `aggregator` is where anyone can GET `/v1/blobs/<blobId>`; empty when that is the service itself. */
  readonly blobs: { readonly kind: "memory" | "walrus"; readonly aggregator: string };
  readonly model: "extractive" | "openai-compatible";
  /** Absent when the ledger is the local one. */
  readonly fullNode?: string;
  readonly records: "sqlite" | "postgres";
}

interface AboutDeps {
  readonly about: About;
  readonly model: Pick<LanguageModel, "name">;
  readonly ledger: Pick<Ledger, "network" | "packageId" | "formerPackageId">;
  readonly allowReset: boolean;
  readonly cipher: Pick<MemoryCipher, "status">;
}

export function aboutService({ about, model, ledger, allowReset, cipher }: AboutDeps) {
  const { version, blobs, records } = about;
  return {
    version,
    blobs,
    model: { kind: about.model, name: model.name },
    ledger: { network: ledger.network, ...fullNodeOf(about) },
    records,
    allowsReset: allowReset,
    sealing: cipher.status(),
  };
}

interface WordDeps {
  readonly ledger: Pick<Ledger, "network" | "packageId" | "formerPackageId" | "gate">;
  readonly records: Pick<RecordStore, "signingKeys">;
}

/** Separate from the rest, because asking for the package opens the local ledger, which takes time and memory. */
export async function aboutLedger({ about, ledger }: Pick<AboutDeps, "about" | "ledger">) {
  return { network: ledger.network, ...(await packagesOf(ledger)), ...fullNodeOf(about) };
}

/** What a verifier may pin. Nobody has to believe it: the gate on the ledger names the keys, too. */
export async function operatorsWord({ ledger, records }: WordDeps) {
  const keys = await records.signingKeys.list();
  return {
    network: ledger.network,
    ...(await packagesOf(ledger)),
    ...(await ledger.gate()),
    keys: keys.map(({ keyId, publicKey, createdAt, endedAt }) => ({
      keyId,
      publicKey: Buffer.from(publicKey).toString("hex"),
      createdAt,
      ...(endedAt !== undefined && { endedAt }),
    })),
  };
}

async function packagesOf(ledger: Pick<Ledger, "packageId" | "formerPackageId">) {
  const former = await ledger.formerPackageId();
  return { packageId: await ledger.packageId(), ...(former !== undefined && { formerPackageId: former }) };
}

const fullNodeOf = ({ fullNode }: About): { url?: string } => (fullNode === undefined ? {} : { url: fullNode });
