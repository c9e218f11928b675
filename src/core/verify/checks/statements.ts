// Whether a receipt contradicts itself, whoever wrote it: what it used, what it says was blocked, and what it says twice.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { type Check, fail, pass, quoteNames, unknown, withoutReceipt } from "#core/verify/check.ts";
import { type Disclosed, knownMemories, unlessSealed } from "#core/verify/disclosed.ts";

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
  if (usedAndBlocked.length > 0) {
    const sentence = `The receipt says that memories of these namespaces were used, and that they were blocked: ${quoteNames(usedAndBlocked)}.`;
    return fail("statements", "namespace-blocked", sentence);
  }
  // Not `!authorized`: the value comes from outside, and only `true` means authorized.
  const unauthorized = usedMemories.filter(({ authorized }) => authorized !== true);
  if (unauthorized.length > 0) {
    const sentence = `The receipt itself says that ${unauthorized.length} of its memories were used without authorization.`;
    return fail("statements", "not-authorized", sentence);
  }
  if (blocked.size < blockedNamespaces.length)
    return fail("statements", "blocked-twice", "The receipt lists a blocked namespace twice.");
  if (isSigned && blockedNamespaces.some((name, i) => i > 0 && byUtf8(blockedNamespaces[i - 1] ?? "", name) >= 0))
    return fail("statements", "blocked-unordered", "The blocked namespaces are not in their order.");
  return repeatedMemory(usedMemories) ?? pass("statements", "The receipt does not contradict itself.");
}

/** Two memories may have the same text, and so the same blob. Then all that follows from the blob must be the same. */
function repeatedMemory(memories: ReturnType<typeof knownMemories>): Check | undefined {
  const ids = new Set<unknown>();
  const blobs = new Map<string, string>();
  for (const { memoryId, storeRef, namespace, snippet, contentDigest } of memories) {
    if (memoryId !== undefined && ids.has(memoryId))
      return fail("statements", "memory-twice", "The receipt lists a memory twice.");
    ids.add(memoryId);
    const said = JSON.stringify([namespace, snippet, contentDigest]);
    if ((blobs.get(storeRef) ?? said) !== said) {
      const sentence = "The receipt names one blob for two memories, and says different things about it.";
      return fail("statements", "memory-contradicted", sentence);
    }
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
  const count = memories.length;
  const unverified = memories.filter(({ verified }) => verified !== true).length;
  if (unverified > 0) {
    const sentence = `When it was answered, the blob store did not return ${unverified} of ${count} memories.`;
    return unknown("stored", "not-verified", sentence);
  }
  // A receipt from elsewhere may say nothing about it.
  const damaged = memories.filter(({ intact }) => intact !== undefined && intact !== true).length;
  if (damaged > 0) {
    const sentence = `When it was answered, the blob store returned other bytes than were stored for ${damaged} of ${count} memories.`;
    return unknown("stored", "not-intact", sentence);
  }
  return pass(
    "stored",
    "When it was answered, the blob store had every memory, as it was stored. That is the operator’s word.",
  );
}
