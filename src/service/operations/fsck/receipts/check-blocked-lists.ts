import { digestOf } from "#core/encoding/digest.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";

/** Derives the digest of each list again. Answers with the length of each, by digest. */
export async function checkBlockedLists({ rows, report }: FsckContext): Promise<ReadonlyMap<string, number>> {
  const lengths = new Map<string, number>();
  let digest: string | undefined;
  let names: string[] = [];

  function check(): void {
    if (digest === undefined) return;
    lengths.set(digest, names.length);
    if (digestOf(names) !== digest)
      report("receipt", "", `the list of blocked namespaces ${digest} has another digest`);
  }

  for await (const row of rows("blocked")) {
    if (row.digest !== digest) {
      check();
      names = [];
    }
    digest = row.digest;
    names.push(row.namespace);
  }
  check();
  return lengths;
}
