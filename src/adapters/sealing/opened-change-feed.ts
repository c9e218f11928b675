// The change feed with sealed memories opened. It also tells the cipher which opened texts it need not keep any more.
import type { ChangeFeed, MemoryCipher, NamespaceHead, RecordedChange } from "#ports.ts";
import { openAll } from "./open-memory.ts";

type Cipher = Pick<MemoryCipher, "open" | "drop" | "status">;

export function openedChangeFeed(changeFeed: ChangeFeed, cipher: Cipher): ChangeFeed {
  return {
    async since(cursor) {
      const snapshot = await changeFeed.since(cursor);
      if (cipher.status() === "ready") return snapshot;
      return { ...snapshot, heads: snapshot.heads.map(lockedIfSealed) };
    },
    async changesIn(range) {
      const page = await changeFeed.changesIn(range);
      cipher.drop(removedIn(page.changes));
      if (!page.changes.some(({ seal }) => seal)) return page;
      return { ...page, changes: await openAll(page.changes, (change) => openChange(change, cipher)) };
    },
  };
}

const lockedIfSealed = (head: NamespaceHead): NamespaceHead => (head.isSealed ? { ...head, isLocked: true } : head);

async function openChange(change: RecordedChange, cipher: Cipher): Promise<RecordedChange> {
  const { seal, ...rest } = change;
  if (seal === undefined || rest.kind !== "captured") return change;
  const { memoryId = "", namespace, content } = rest;
  const fact = await cipher.open({ memoryId, namespace, content, seal });
  if (fact === undefined) return { ...rest, content: "", sealed: "unreadable" };
  return { ...rest, content: fact.content, sealed: "opened" };
}

const removedIn = (changes: readonly RecordedChange[]): string[] =>
  changes.flatMap(({ kind, memoryId }) => (kind === "forgotten" && memoryId !== undefined ? memoryId : []));
