import { setImmediate as nextTurn } from "node:timers/promises";
import type { ExportScope } from "./export-scope.ts";

const PART = 1_000;
/** How many digests are remembered. A list that was written long ago is written again. */
const MOST_REMEMBERED = 10_000;

/** Writes the lists of names that the records of a page refer to, each before it is first referred to. */
export function exportedLists({ deps: { records }, writer }: ExportScope) {
  const written = new Set<string>();

  async function write(digest: string): Promise<void> {
    let after: string | undefined;
    do {
      const page = { digest, limit: PART, ...(after !== undefined && { after }) };
      const names = await records.receipts.listedNames(page);
      const isLast = names.length < PART;
      after = isLast ? undefined : names.at(-1);
      await writer.records([{ kind: "names", digest, names, isLast }]);
      await nextTurn();
    } while (after !== undefined && !writer.isClosed());
  }

  return async (digests: Iterable<string | null | undefined>): Promise<void> => {
    for (const digest of digests) {
      if (digest == null || written.has(digest)) continue;
      if (written.size >= MOST_REMEMBERED) written.clear();
      written.add(digest);
      await write(digest);
    }
  };
}
