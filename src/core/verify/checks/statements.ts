// Whether a receipt contradicts itself, whoever wrote it: what it used, what it says was blocked, and what it says twice.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { type Check, checkOf, quoteNames, withoutReceipt } from "#core/verify/check.ts";
import { type Disclosed, knownMemories, unlessSealed } from "#core/verify/disclosed.ts";

const [ofStatements, ofStored] = [checkOf("statements"), checkOf("stored")];

/** `isSigned`: its shape was checked, and the blocked namespaces must be in order. */
export function checkStatements(known: Disclosed | undefined, isSigned: boolean): Check {
  if (known === undefined) return withoutReceipt("statements");
  return unlessSealed("statements", known, judgeStatements(known, isSigned));
}

function judgeStatements(known: Disclosed, isSigned: boolean): Check {
  const { blockedNamespaces } = known;
  const usedMemories = knownMemories(known);
  const blocked = new Set(blockedNamespaces);
  const usedAndBlocked = [...new Set(usedMemories.map(({ namespace }) => namespace))].filter((name) =>
    blocked.has(name),
  );
  if (usedAndBlocked.length > 0) return ofStatements.fail("namespace-blocked", { names: quoteNames(usedAndBlocked) });
  // Not `!authorized`: the value comes from outside, and only `true` means authorized.
  const { length: count } = usedMemories.filter(({ authorized }) => authorized !== true);
  if (count > 0) return ofStatements.fail("not-authorized", { count });
  if (blocked.size < blockedNamespaces.length) return ofStatements.fail("blocked-twice");
  if (isSigned && blockedNamespaces.some((name, i) => i > 0 && byUtf8(blockedNamespaces[i - 1] ?? "", name) >= 0))
    return ofStatements.fail("blocked-unordered");
  return repeatedMemory(usedMemories) ?? ofStatements.pass("consistent");
}

/** Two memories may have the same text, and so the same blob. Then all that follows from the blob must be the same. */
function repeatedMemory(memories: ReturnType<typeof knownMemories>): Check | undefined {
  const ids = new Set<unknown>();
  const blobs = new Map<string, string>();
  for (const { memoryId, storeRef, namespace, snippet, contentDigest } of memories) {
    if (memoryId !== undefined && ids.has(memoryId)) return ofStatements.fail("memory-twice");
    ids.add(memoryId);
    const said = JSON.stringify([namespace, snippet, contentDigest]);
    if ((blobs.get(storeRef) ?? said) !== said) return ofStatements.fail("memory-contradicted");
    blobs.set(storeRef, said);
  }
  return undefined;
}

/** What the service found when it answered. It is not a failure now, but the answer rested on less than it should. */
export function checkStored(known: Disclosed | undefined): Check {
  if (known === undefined) return withoutReceipt("stored");
  return unlessSealed("stored", known, judgeStored(known));
}

function judgeStored(known: Disclosed): Check {
  const memories = knownMemories(known);
  const all = memories.length;
  const unverified = memories.filter(({ verified }) => verified !== true).length;
  if (unverified > 0) return ofStored.unknown("not-verified", { count: unverified, all });
  // A receipt from elsewhere may say nothing about it.
  const damaged = memories.filter(({ intact }) => intact !== undefined && intact !== true).length;
  return damaged > 0 ? ofStored.unknown("not-intact", { count: damaged, all }) : ofStored.pass("all");
}
