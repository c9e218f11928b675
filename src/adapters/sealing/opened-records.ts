// A record store whose sealed memories are open: what uses it sees their text, and what is below it sees ciphertext only.
// A memory that cannot be opened, because its key is not here or its record was altered, is left out.
import type { MemoryCipher, RecordStore } from "#ports.ts";
import { openedChangeFeed } from "./opened-change-feed.ts";
import { openedMemories } from "./opened-memories.ts";
import { openedReceipts } from "./opened-receipts.ts";

export function openedRecords(records: RecordStore, cipher: MemoryCipher): RecordStore {
  return {
    ...records,
    memories: openedMemories(records.memories, cipher),
    changeFeed: openedChangeFeed(records.changeFeed, cipher),
    receipts: openedReceipts(records.receipts, cipher),
  };
}
