// Derives again what can be derived from the records, and tells where they say something else. Reads all of one moment,
// so it may run beside a service that writes.
import type { RecordAudit, RecordRows } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { checkAnchors } from "./check-anchors.ts";
import { checkLedger } from "./check-ledger.ts";
import { checkMemories } from "./check-memories.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkReceipts } from "./check-receipts.ts";
import { checkRequests } from "./check-requests.ts";

/** Where the records are not what they should be. Holds ids, names and digests, and never the text of a memory. */
export interface Difference {
  readonly about: "database" | "memory" | "policy" | "receipt" | "anchor" | "request" | "ledger" | "lease";
  /** Which of them; empty when it is about all. */
  readonly id: string;
  /** A sentence without its beginning. */
  readonly detail: string;
}

export interface FsckOptions {
  /** Also derives what takes seconds each (blob ids of Walrus), and asks a ledger that is far away (Sui). */
  readonly deep?: boolean;
  /** Whether the file with the local ledger's key is there; left out when the key is kept with the records. */
  readonly hasKeyFile?: boolean | undefined;
  readonly onDifference?: (difference: Difference) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Fsck {
  readonly differences: number;
  /** How many were looked at. */
  readonly memories: number;
  readonly receipts: number;
  readonly anchors: number;
  readonly onLedger: number;
  readonly policyVersion: number;
  /** What was left out, and why, a sentence each. */
  readonly leftOut: readonly string[];
}

/** What every check works with. */
export interface Look extends Pick<Deps, "ledger" | "explorer"> {
  readonly rows: RecordAudit["rows"];
  readonly counters: RecordRows["counters"];
  readonly hasKeyFile: boolean | undefined;
  readonly isDeep: boolean;
  /** The id that a blob of these bytes has; absent when that is not to be derived now. */
  readonly blobIdOf?: (bytes: Uint8Array) => Promise<string>;
  tell(about: Difference["about"], id: string, detail: string): void;
  /** One more was looked at. */
  step(): void;
}

export function fsck(deps: Deps, options: FsckOptions = {}): Promise<Fsck> {
  return deps.records.audit(async ({ rows, complaints }) => {
    let differences = 0;
    const tell: Look["tell"] = (about, id, detail) => {
      differences += 1;
      options.onDifference?.({ about, id, detail });
    };
    for (const complaint of await complaints()) tell("database", "", complaint);

    const counters = await only(rows("counters"));
    const { memories, receipts, anchors, onLedger, policy: policyVersion } = counters;
    let done = 0;
    const step = () => options.onProgress?.(++done, memories + receipts + anchors + onLedger);
    const { look, leftOut } = lookAt(deps, options, { rows, counters, tell, step });
    await checkPolicy(look);
    await checkMemories(look);
    await checkReceipts(look);
    await checkAnchors(look);
    await checkRequests(look);
    await checkLedger(look);
    return { differences, memories, receipts, anchors, onLedger, policyVersion, leftOut };
  });
}

function lookAt(
  { about, deriveBlobId, ledger, explorer }: Deps,
  { deep = false, hasKeyFile }: FsckOptions,
  given: Pick<Look, "rows" | "counters" | "tell" | "step">,
): { look: Look; leftOut: string[] } {
  const derives = deep || about.blobs.kind === "memory";
  const isNear = explorer !== undefined;
  return {
    look: {
      ...given,
      ledger,
      ...(isNear && { explorer }),
      hasKeyFile,
      isDeep: deep,
      ...(derives && deriveBlobId !== undefined && { blobIdOf: (bytes: Uint8Array) => deriveBlobId(bytes) }),
    },
    leftOut: [
      ...(derives ? [] : ["Blob ids of Walrus were not derived, which takes seconds each: --deep does."]),
      ...(isNear || deep ? [] : [`Sui ${ledger.network} was not asked for the anchors: --deep asks it.`]),
    ],
  };
}

async function only<T>(rows: AsyncIterable<T>): Promise<T> {
  for await (const row of rows) return row;
  throw new Error("a query of one row gave none");
}
