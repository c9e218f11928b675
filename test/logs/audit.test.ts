// Auditors of a log: no false alarm about an honest service, and every forgery is found.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FindingCode } from "#core/log/audit/finding.ts";
import { addSight, continues, readCheckpoint } from "#core/log/audit/follow-log.ts";
import type { DisclosedEntry, EntryKind } from "#core/log/entry.ts";
import type { WaitingEntry } from "#core/log/integrate.ts";
import { consistencyProof, growingRoot, leafHash, rootOfHashes } from "#core/log/merkle-tree.ts";
import { runs, seed } from "#test/support/runs.ts";
import { actions, audit, disclose, type History, honestHistory, placed } from "./histories.ts";
import { signedCheckpoints } from "./signed-checkpoints.ts";

test("300 honest histories raise no alarm", () => {
  fc.assert(
    fc.property(actions, (given) => {
      const history = honestHistory(given);
      expect(placed(history.entries)).toEqual(history.entries);
      expect(audit(history)).toEqual([]);
    }),
    { numRuns: runs(300, 100), seed },
  );
});

type Forge = (history: History, pick: number) => History | ReadonlyMap<number, DisclosedEntry[]> | undefined;

const own = ({ tenant }: WaitingEntry) => tenant === 1;
const isA =
  (...kinds: EntryKind[]) =>
  (entry: WaitingEntry) =>
    own(entry) && kinds.includes(entry.kind);
const renumbered = (entries: readonly WaitingEntry[]): WaitingEntry[] => {
  const numbers = new Map<number, number>();
  return entries.map((entry) => {
    const number = (numbers.get(entry.tenant) ?? 0) + 1;
    numbers.set(entry.tenant, number);
    return { ...entry, number };
  });
};
/** Changes one of the entries that fit; undefined if there is none. */
const editing =
  (fits: (entry: WaitingEntry, history: History) => boolean, edit: (entry: WaitingEntry) => WaitingEntry[]): Forge =>
  (history, pick) => {
    const found = history.entries.filter((entry) => fits(entry, history));
    const chosen = found[pick % Math.max(1, found.length)];
    if (chosen === undefined) return undefined;
    const entries = history.entries.flatMap((entry) => (entry === chosen ? edit(entry) : [entry]));
    return { ...history, entries: renumbered(entries) };
  };
const saying = (entry: WaitingEntry, more: object): WaitingEntry => ({
  ...entry,
  details: JSON.stringify({ ...JSON.parse(entry.details ?? "{}"), ...more }),
});
/** Of the answers whose receipt is on record, and is not the last thing that happened. */
const isOnRecord = (entry: WaitingEntry, { receipts }: History) =>
  isA("issued")(entry) && receipts.some(({ answerId }) => answerId === entry.about);
const at = (entry: WaitingEntry, ms: number) => ({ ...entry, at: new Date(Date.parse(entry.at) + ms).toISOString() });
const HOUR_MS = 3_600_000;

/** Each with what an auditor must find at the least. */
const FORGERIES: Readonly<Record<string, readonly [Forge, ...FindingCode[]]>> = {
  "an issued entry is removed, and the rest is numbered anew": [editing(isOnRecord, () => []), "receipt-not-in-log"],
  "an entry is removed, and leaves a gap": [
    ({ entries }, pick) => {
      const found = entries.filter(own).slice(0, -1);
      const chosen = found[pick % Math.max(1, found.length)];
      return chosen && disclose(entries.filter((entry) => entry !== chosen));
    },
    "gap",
  ],
  "two entries are disclosed in another order": [
    ({ entries }, pick) => {
      const chains = new Map(disclose(entries));
      const chain = [...(chains.get(1) ?? [])];
      const place = pick % Math.max(1, chain.length - 1);
      const [first, second] = chain.slice(place, place + 2);
      if (first === undefined || second === undefined) return undefined;
      chain.splice(place, 2, { ...second, number: first.number }, { ...first, number: second.number });
      return chains.set(1, chain);
    },
    "gap",
    "order",
  ],
  "an entry is doubled": [editing(isA("issued", "broken-off"), (entry) => [entry, entry]), "second-end"],
  "an answer is opened twice": [editing(isA("opened"), (entry) => [entry, entry]), "opened-twice"],
  "an answer has two ends": [
    editing(isA("issued"), (entry) => [entry, { ...entry, kind: "broken-off", details: null }]),
    "second-end",
  ],
  "an answer ends that was never opened": [editing(isA("opened"), () => []), "second-end"],
  "an answer is left without an end": [
    (history, pick) => {
      const forged = editing(isA("broken-off"), () => [])(history, pick) as History | undefined;
      const later = (minutes: number): WaitingEntry =>
        at(
          {
            tenant: 1,
            number: 0,
            kind: "captured",
            about: "m",
            details: null,
            inForce: null,
            at: new Date(history.end).toISOString(),
          },
          minutes * 60_000,
        );
      return (
        forged && {
          ...forged,
          end: history.end + HOUR_MS,
          sights: [],
          entries: renumbered([...forged.entries, later(20), later(40)]),
        }
      );
    },
    "no-end",
  ],
  "an entry is backdated": [
    editing(
      (entry) => own(entry) && entry.number > 1,
      (entry) => [at(entry, -100 * HOUR_MS)],
    ),
    "time-back",
  ],
  "all new entries are backdated after the log was seen without them": [
    (history) => {
      const last = history.entries.at(-1);
      if (last === undefined) return undefined;
      const time = Date.parse(last.at);
      const size = history.entries.length;
      const sights = [
        { size: size - 1, at: time + HOUR_MS },
        { size, at: time + 2 * HOUR_MS },
      ];
      const late = { ...last, tenant: 1, kind: "captured" as const, about: "late", inForce: null };
      return { ...history, sights, end: time + 3 * HOUR_MS, entries: renumbered([...history.entries, late]) };
    },
    "late",
  ],
  "an entry has a time that is not yet": [
    (history) => ({ ...history, end: history.end - HOUR_MS, sights: [] }),
    "time-ahead",
  ],
  "a version of the policy is skipped": [
    editing(isA("policy"), (entry) => [saying(entry, { version: 1_000 })]),
    "version-skipped",
  ],
  "a version of the policy is left out": [
    editing(
      (entry) => isA("policy")(entry) && JSON.parse(entry.details ?? "{}").version > 1,
      () => [],
    ),
    "policy-not-in-log",
  ],
  "a policy was open for an afternoon, and is not on record": [
    (history, pick) => {
      const [change] = history.changes.slice(pick % Math.max(1, history.changes.length));
      return change && { ...history, changes: history.changes.filter(({ version }) => version !== change.version) };
    },
    "policy-not-on-record",
  ],
  "a revoked gate is open": [
    (history) => {
      const closed = history.changes.find(
        (change, i) =>
          change.to !== true &&
          !history.changes
            .slice(0, i)
            .some((each) => each.agentId === change.agentId && each.namespace === change.namespace),
      );
      return closed && { ...history, rules: [...history.rules, { ...closed, allowed: true }] };
    },
    "not-revoked",
  ],
  "an answer is opened under a version that is not in force": [
    editing(isA("opened"), (entry) => [{ ...entry, inForce: (entry.inForce ?? 0) + 3 }]),
    "version-in-force",
  ],
  "an answer names a version that ended long before": [
    (history, pick) => {
      const found = history.entries.filter((entry) => isA("opened")(entry) && (entry.inForce ?? 0) > 2);
      const chosen = found[pick % Math.max(1, found.length)];
      const next = history.entries.find(
        (entry) => isA("policy")(entry) && JSON.parse(entry.details ?? "{}").version === 1,
      );
      if (chosen === undefined || next === undefined || Date.parse(chosen.at) - Date.parse(next.at) < 60_000)
        return undefined;
      const entries = history.entries.map((entry) => (entry === chosen ? saying(entry, { policyVersion: 0 }) : entry));
      return { ...history, entries };
    },
    "version-in-force",
  ],
  "a receipt has another digest of its policy": [
    (history, pick) => {
      const fits = ({ policyVersion }: History["receipts"][number]) => policyVersion > 0;
      const chosen = history.receipts.filter(fits)[pick % Math.max(1, history.receipts.filter(fits).length)];
      const receipts = history.receipts.map((each) => (each === chosen ? { ...each, policyDigest: "0" } : each));
      return chosen && { ...history, receipts };
    },
    "policy-digest",
  ],
  "a receipt is removed from the records": [
    (history) => {
      const [oldest, ...rest] = history.receipts.filter(({ isAnchored }) => !isAnchored);
      const limit = Date.parse(oldest?.createdAt ?? "") + 30 * 60_000;
      const removed = rest.find(({ createdAt }) => Date.parse(createdAt) > limit);
      return removed && { ...history, receipts: history.receipts.filter((each) => each !== removed) };
    },
    "receipt-removed",
  ],
  "an answer is backdated, and its entries are not": [
    (history, pick) => {
      const chosen = history.receipts[pick % Math.max(1, history.receipts.length)];
      const createdAt = new Date(Date.parse(chosen?.createdAt ?? "") - 100 * HOUR_MS);
      const receipts = history.receipts.map((each) =>
        each === chosen ? { ...each, createdAt: createdAt.toISOString() } : each,
      );
      return chosen && { ...history, receipts };
    },
    "late",
  ],
  "an answer is on record without an entry": [
    (history) => {
      const [last] = history.receipts.slice(-1);
      return (
        last && { ...history, receipts: [...history.receipts, { ...last, answerId: "secret", signatureDigest: "s" }] }
      );
    },
    "receipt-not-in-log",
  ],
  "a key signs before its entry": [
    (history) => {
      const keys = history.entries.filter(({ kind, details }) => kind === "signing-key" && details?.includes("begun"));
      const [first] = history.receipts;
      const last = JSON.parse(keys.at(-1)?.details ?? "{}").publicKey;
      if (first === undefined || keys.length < 2 || first.publicKey === last) return undefined;
      const receipts = history.receipts.map((each) => (each === first ? { ...each, publicKey: last } : each));
      return { ...history, receipts };
    },
    "key-before-entry",
  ],
  "a key signs after its end": [
    (history) => {
      const ended = history.signingKeys.find(({ endedAt }) => endedAt !== undefined);
      const later = history.receipts.find(
        ({ createdAt }) => Date.parse(createdAt) > Date.parse(ended?.endedAt ?? "") + 60_000,
      );
      if (ended === undefined || later === undefined) return undefined;
      const receipts = history.receipts.map((each) =>
        each === later ? { ...each, publicKey: ended.publicKey } : each,
      );
      return { ...history, receipts };
    },
    "key-after-end",
  ],
  "a key is used that is not in the log": [
    (history) => ({
      ...history,
      signingKeys: [...history.signingKeys, { publicKey: "00", createdAt: "2026-01-01T00:00:00.000Z" }],
    }),
    "key-not-in-log",
  ],
  "a key of the log is not named": [(history) => ({ ...history, signingKeys: [] }), "key-not-on-record"],
  "an ended key signs again": [
    (history) => {
      const ended = history.signingKeys.find(({ endedAt }) => endedAt !== undefined);
      const signingKeys = history.signingKeys.map(({ endedAt: _, ...key }) => key);
      return ended && { ...history, signingKeys };
    },
    "revived",
  ],
  "an ended API key is rotated": [
    editing(
      (entry) => isA("api-key")(entry) && JSON.parse(entry.details ?? "{}").state === "ended",
      (entry) => [entry, saying(entry, { state: "rotated" })],
    ),
    "revived",
  ],
  "a body is not canonical": [
    ({ entries }, pick) => {
      const chains = new Map(disclose(entries));
      const chain = [...(chains.get(1) ?? [])];
      const place = pick % Math.max(1, chain.length);
      const entry = chain[place];
      if (entry === undefined) return undefined;
      chain[place] = { ...entry, body: ` ${entry.body}` };
      return chains.set(1, chain);
    },
    "malformed",
  ],
};

const FORGED_TIMES = 10;

describe("an auditor finds that", () => {
  test.each(Object.keys(FORGERIES))("%s", (name) => {
    const [forge, ...expected] = FORGERIES[name] ?? expect.fail();
    const histories = fc.sample(actions, { numRuns: 300, seed });
    let forged = 0;
    for (const [pick, given] of histories.entries()) {
      if (forged === FORGED_TIMES) break;
      const history = honestHistory(given);
      const made = forge(history, pick);
      if (made === undefined) continue;
      forged += 1;
      expect(made instanceof Map ? audit(history, made) : audit(made as History)).toEqual(
        expect.arrayContaining(expected),
      );
    }
    expect(forged).toBe(FORGED_TIMES);
  });
});

describe("whoever follows a log", () => {
  const leaves = Array.from({ length: 600 }, (_, i) => leafHash(Buffer.from(`${i}`)));
  const other = leaves.map((leaf, i) => (i === 7 ? leafHash(Buffer.from("another")) : leaf));
  const nodesOf = (all: readonly Uint8Array[]) => async (level: number, index: number) =>
    rootOfHashes(all.slice(index * 2 ** level, (index + 1) * 2 ** level));
  const treeOf = (all: readonly Uint8Array[], size: number) => ({ size, root: rootOfHashes(all.slice(0, size)) });
  const log = signedCheckpoints();

  async function follow(before: string, next: string, hashes = leaves) {
    const codes: FindingCode[] = [];
    const report = (code: FindingCode) => void codes.push(code);
    const [a, b] = [before, next].map((note) => readCheckpoint(note, log.vkey, report));
    if (a === undefined || b === undefined) return { codes, isNext: false };
    const [from = 0, to = 0] = [a.size, b.size].toSorted((x, y) => x - y);
    const proof = await consistencyProof(from, to, nodesOf(hashes));
    return { codes, isNext: continues(a, b, proof, report) };
  }

  test("takes every greater tree that continues the one before, and no smaller one", async () => {
    for (const [from, to] of [
      [0, 1],
      [1, 1],
      [1, 600],
      [255, 256],
      [256, 257],
      [300, 599],
    ] as const) {
      const [small, large] = [log.sign(treeOf(leaves, from)), log.sign(treeOf(leaves, to))];
      expect(await follow(small, large)).toEqual({ codes: [], isNext: true });
      // A cache may be behind.
      if (from < to) expect(await follow(large, small)).toEqual({ codes: [], isNext: false });
    }
    const growing = growingRoot();
    for (const [i, leaf] of leaves.entries()) {
      if (i % 37 < 2) expect(growing.root()).toEqual(rootOfHashes(leaves.slice(0, i)));
      growing.append(leaf);
    }
  });

  test("finds two trees of one size, a fork, a log that shrank, one begun anew, and another's signature", async () => {
    const at = (size: number, all = leaves, name?: string) => log.sign(treeOf(all, size), name);
    expect(await follow(at(300), at(300, other))).toEqual({ codes: ["fork"], isNext: false });
    for (const hashes of [leaves, other])
      expect(await follow(at(300), at(400, other), hashes)).toEqual({ codes: ["fork"], isNext: false });
    expect(await follow(at(400), at(300, other))).toEqual({ codes: ["shrunk"], isNext: false });
    expect(await follow(at(400), at(300, other, "memory.example/2"))).toEqual({ codes: ["begun-anew"], isNext: false });
    expect(await follow(at(300), at(400, leaves, "memory.example/2"))).toEqual({ codes: [], isNext: true });
    expect((await follow(at(300), signedCheckpoints().sign(treeOf(leaves, 400)))).codes).toEqual(["signature"]);
    expect((await follow(at(300), "malformed")).codes).toEqual(["signature"]);
  });

  test("remembers the last two sights that lie apart", () => {
    const sights = [0, 5_000, 12_000, 13_000, 30_000].reduce<readonly { size: number; at: number }[]>(
      (known, at) => addSight(known, { size: at, at }),
      [],
    );
    expect(sights.map(({ at }) => at)).toEqual([13_000, 30_000]);
  });
});
