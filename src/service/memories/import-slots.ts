// A bound on the imports in progress. An import may take long and keeps its share of the blob store busy all the while.
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Metrics } from "#ports.ts";

const IMPORTS = 16;
const IMPORTS_PER_IDENTITY = 4;

export interface ImportSlots {
  /** Runs an import. Rejects at once when too many are in progress. */
  run(principal: Principal, importAll: () => Promise<void>): Promise<void>;
}

interface SlotOptions {
  readonly most?: number;
  readonly perIdentity?: number;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
}

export function createImportSlots(options: SlotOptions = {}): ImportSlots {
  const { most = IMPORTS, perIdentity = IMPORTS_PER_IDENTITY, metrics } = options;
  let inProgress = 0;
  const byIdentity = new Map<string, number>();
  metrics?.gauge("importsRunning", () => inProgress);

  function count(id: string, change: 1 | -1): void {
    inProgress += change;
    const own = (byIdentity.get(id) ?? 0) + change;
    if (own === 0) byIdentity.delete(id);
    else byIdentity.set(id, own);
  }

  return {
    async run({ id, credential }, importAll) {
      if (inProgress >= most) {
        throw new PortcullisError("overloaded", `${most} imports are in progress. Try again when one has ended.`);
      }
      if (credential !== undefined && (byIdentity.get(id) ?? 0) >= perIdentity) {
        const sentence = `${perIdentity} imports of yours are in progress. Try again when one has ended.`;
        throw new PortcullisError("too-many-requests", sentence);
      }
      count(id, 1);
      try {
        await importAll();
      } finally {
        count(id, -1);
      }
    },
  };
}
