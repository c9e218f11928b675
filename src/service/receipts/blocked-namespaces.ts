// All namespaces that were blocked for an answer. A receipt lists the first of them only.
import { digestOf } from "#core/encoding/digest.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Deps } from "#service/deps.ts";
import { getReceipt } from "./receipts.ts";

const PAGE_SIZE = 1_000;

export interface BlockedNamespaces {
  readonly count: number;
  /** Of the canonical JSON of the list. */
  readonly digest: string;
  /** In UTF-8 order. */
  readonly pages: AsyncIterable<readonly string[]>;
}

export async function blockedNamespaces(
  deps: Deps,
  answerId: string,
  principal: Principal,
): Promise<BlockedNamespaces> {
  const { receipt } = await getReceipt(deps, answerId, principal);
  const { blockedNamespaces: listed, blockedCount, blockedDigest } = receipt;
  if (blockedCount === undefined || blockedDigest === undefined)
    return { count: listed.length, digest: digestOf(listed), pages: singlePage(listed) };
  return { count: blockedCount, digest: blockedDigest, pages: pagesOf(deps, blockedDigest) };
}

async function* singlePage(names: readonly string[]): AsyncGenerator<readonly string[]> {
  yield names;
}

async function* pagesOf({ records }: Deps, digest: string): AsyncGenerator<readonly string[]> {
  let names: readonly string[] = [];
  do {
    const last = names.at(-1);
    names = await records.receipts.listedNames({
      digest,
      limit: PAGE_SIZE,
      ...(last !== undefined && { after: last }),
    });
    yield names;
  } while (names.length === PAGE_SIZE);
}
