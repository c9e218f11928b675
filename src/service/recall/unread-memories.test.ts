import { expect, test } from "vitest";
import { createUnreadMemories } from "./memory-index.ts";

const captured = (sequence: number, encrypted?: "decrypted" | "unreadable") => ({
  kind: "captured" as const,
  sequence,
  namespace: "n",
  content: "",
  createdAt: "",
  ...(encrypted && { encrypted }),
});
const forgotten = (sequence: number, of: number) => ({
  kind: "forgotten" as const,
  sequence,
  namespace: "n",
  captured: of,
});

test("memories that cannot be decrypted are counted until they are forgotten, and the index knows of none", () => {
  const unread = createUnreadMemories();
  const taken = [captured(1), captured(2, "decrypted"), captured(3, "unreadable"), captured(4, "unreadable")];
  expect(taken.map(unread.takes)).toEqual([false, false, true, true]);
  expect(unread.addTo(new Map([["n", 2]]))).toEqual(new Map([["n", 4]]));
  const pinned = { kind: "pinned" as const, sequence: 5, namespace: "n", captured: 3, pinned: true };
  expect([pinned, forgotten(6, 3), forgotten(7, 1), forgotten(8, 3)].map(unread.takes)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(unread.addTo(new Map())).toEqual(new Map([["n", 1]]));
});
