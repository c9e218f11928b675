// Auditors of a log: no false alarm about an honest service, and every forgery is found.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FindingCode } from "#core/log/audit/chain-audit.ts";
import { addSight, checkRestored, continues, readCheckpoint } from "#core/log/audit/follow-log.ts";
import type { DisclosedEntry, EntryKind } from "#core/log/entry.ts";
import { consistencyProof, growingRoot, leafHash } from "#core/log/merkle-tree.ts";
import { definedRoot } from "#test/support/defined-root.ts";
import { runs, seed } from "#test/support/runs.ts";
import { actions, audit, disclose, type History, type HistoryEntry, honestHistory, LOG, placed } from "./histories.ts";
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

const own = ({ tenant }: HistoryEntry) => tenant === 1;
const isA =
  (...kinds: EntryKind[]) =>
  (entry: HistoryEntry) =>
    own(entry) && kinds.includes(entry.kind);
const renumbered = (entries: readonly HistoryEntry[]): HistoryEntry[] => {
  const numbers = new Map<number, number>();
  return entries.map((entry) => {
    const number = (numbers.get(entry.tenant) ?? 0) + 1;
    numbers.set(entry.tenant, number);
    return { ...entry, number };
  });
};
/** Changes one of the entries that fit; undefined if there is none. */
const editing =
  (fits: (entry: HistoryEntry, history: History) => boolean, edit: (entry: HistoryEntry) => HistoryEntry[]): Forge =>
  (history, pick) => {
    const found = history.entries.filter((entry) => fits(entry, history));
    const chosen = found[pick % Math.max(1, found.length)];
    if (chosen === undefined) return undefined;
    const entries = history.entries.flatMap((entry) => (entry === chosen ? edit(entry) : [entry]));
    return { ...history, entries: renumbered(entries) };
  };
/** What a restore can excuse, is seen where there was none. */
const withoutRestore =
  (forge: Forge): Forge =>
  (history, pick) =>
    history.entries.some(({ kind }) => kind === "restored") ? undefined : forge(history, pick);
const saying = (entry: HistoryEntry, more: HistoryEntry["details"]): HistoryEntry => ({
  ...entry,
  details: { ...entry.details, ...more },
});
/** Of the receipts on record, those that were given here. */
const given = ({ receipts, entries }: History) => {
  const issued = new Set(entries.flatMap((entry) => (isA("issued")(entry) ? [entry.about] : [])));
  return receipts.filter(({ answerId }) => issued.has(answerId));
};
/** Of the answers whose receipt is on record, and is not the last thing that happened. */
const isOnRecord = (entry: HistoryEntry, { receipts }: History) =>
  isA("issued")(entry) && receipts.some(({ answerId }) => answerId === entry.about);
const at = (entry: HistoryEntry, ms: number) => ({ ...entry, at: new Date(Date.parse(entry.at) + ms).toISOString() });
const HOUR_MS = 3_600_000;
const OF_SERVICE = { tenant: 0, number: 0 };
const restoredAt = ({ at }: HistoryEntry, checkpoint: string): HistoryEntry => ({
  ...OF_SERVICE,
  ...{ at, kind: "restored", details: { checkpoint } },
});
/** The receipt of an answer that was given at last, and that auditors should not see. */
const hidden = ({ end, signingKeys }: History, more: object): History["receipts"][number] => ({
  ...{ answerId: "hidden", signatureDigest: "hidden", publicKey: signingKeys.at(-1)?.publicKey, promisedBy: LOG },
  ...{ createdAt: new Date(end).toISOString(), policyVersion: 0, policyDigest: "", isAnchored: false },
  ...more,
});
const imported = (history: History, receipt: History["receipts"][number]): History => {
  const { answerId: about, signatureDigest: signature, createdAt } = receipt;
  const details = { signature };
  const entry: HistoryEntry = { ...OF_SERVICE, tenant: 1, at: createdAt, kind: "imported", about, details };
  const entries = renumbered([...history.entries, entry]);
  return { ...history, entries, receipts: [...history.receipts, receipt] };
};

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
    editing(isA("issued"), (entry) => [entry, { ...entry, kind: "broken-off", details: undefined }]),
    "second-end",
  ],
  "an answer ends that was never opened": [
    editing(
      (entry, { entries }) =>
        isA("opened")(entry) && entries.some((each) => isA("issued", "broken-off")(each) && each.about === entry.about),
      () => [],
    ),
    "second-end",
  ],
  "an answer is left without an end": [
    (history, pick) => {
      const forged = editing(isA("broken-off"), () => [])(history, pick) as History | undefined;
      const later = (minutes: number): HistoryEntry =>
        at(
          {
            tenant: 1,
            number: 0,
            kind: "captured",
            about: "m",
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
      const late = { ...last, tenant: 1, kind: "captured" as const, about: "late" };
      return { ...history, sights, end: time + 3 * HOUR_MS, entries: renumbered([...history.entries, late]) };
    },
    "late",
  ],
  "an entry has a time that is not yet": [
    (history) => ({ ...history, end: history.end - HOUR_MS, sights: [] }),
    "time-ahead",
  ],
  "a version of the policy is skipped": [
    withoutRestore(editing(isA("policy"), (entry) => [saying(entry, { version: 1_000 })])),
    "version-skipped",
  ],
  "a version of the policy is skipped behind a restore that named no checkpoint": [
    withoutRestore(editing(isA("policy"), (entry) => [restoredAt(entry, ""), saying(entry, { version: 1_000 })])),
    "version-skipped",
  ],
  "versions of the policy are skipped twice behind one restore": [
    (history) => {
      const found = history.entries.filter(isA("policy"));
      const [second, third] = found.slice(-2);
      if (found.length < 3 || second === undefined || third === undefined) return undefined;
      const entries = history.entries.flatMap((entry) => {
        if (entry === second) return [restoredAt(entry, "memory.example/old\n"), saying(entry, { version: 1_000 })];
        return entry === third ? [saying(entry, { version: 2_000 })] : [entry];
      });
      const isBetween = ({ tenant, kind, at }: HistoryEntry) => tenant === 0 && kind === "restored" && at > second.at;
      return history.entries.some(isBetween) ? undefined : { ...history, entries: renumbered(entries) };
    },
    "version-skipped",
  ],
  "versions of the policy are skipped that the ledger never had, behind a restore that was none": [
    (history) => {
      const last = history.entries.findLast(isA("policy"));
      const entries = history.entries.flatMap((entry) =>
        entry === last ? [restoredAt(entry, "memory.example/old\n"), saying(entry, { version: 1_000 })] : [entry],
      );
      const names = [["memory.example/old", 0] as const];
      return last && { ...history, names, entries: renumbered(entries) };
    },
    "version-skipped",
  ],
  "an answer is hidden: its receipt has a key that the service does not name, and no entry": [
    (history) => ({ ...history, receipts: [...history.receipts, hidden(history, { publicKey: undefined })] }),
    "receipt-not-in-log",
  ],
  "an answer is issued under a key that the service does not name": [
    (history, pick) => {
      const fitting = given(history);
      const chosen = fitting[pick % Math.max(1, fitting.length)];
      const receipts = history.receipts.map((each) => (each === chosen ? { ...each, publicKey: undefined } : each));
      return chosen && { ...history, receipts };
    },
    "key-before-entry",
  ],
  "an answer is hidden as imported, and the tree has no other tenant": [
    (history) => {
      const entries = history.entries.filter(({ tenant }) => tenant !== 2);
      return imported({ ...history, entries }, hidden(history, { promisedBy: LOG }));
    },
    "receipt-not-in-log",
  ],
  "an answer is hidden as imported, and names another log": [
    (history) => imported(history, hidden(history, { promisedBy: "other.example/log" })),
    "key-elsewhere",
  ],
  "an answer is hidden as imported under a key of the operator’s own, and promises this log": [
    (history) => imported(history, hidden(history, { publicKey: undefined })),
    "key-elsewhere",
  ],
  "an answer is hidden as imported, and names no log": [
    (history) => imported(history, hidden(history, { promisedBy: undefined })),
    "key-elsewhere",
  ],
  "an answer is hidden as imported, and names the log by a name that it gave up before": [
    (history) => {
      const names = [...(history.names ?? []), ["memory.example/old", history.end - HOUR_MS] as const];
      return imported({ ...history, names }, hidden(history, { promisedBy: "memory.example/old" }));
    },
    "key-elsewhere",
  ],
  "an answer that was broken off is imported as another": [
    withoutRestore(
      editing(isA("broken-off"), (entry) => [entry, { ...entry, kind: "imported", details: { signature: "0" } }]),
    ),
    "second-end",
  ],
  "an answer that is open is imported as another": [
    editing(isA("opened"), (entry) => [
      entry,
      { ...entry, kind: "imported", inForce: undefined, details: { signature: "0" } },
    ]),
    "second-end",
  ],
  "an answer that was issued is imported as another": [
    editing(isA("issued"), (entry) => [entry, saying({ ...entry, kind: "imported" }, { signature: "0" })]),
    "second-end",
  ],
  "an answer is imported twice, as two": [
    editing(isA("imported"), (entry) => [entry, saying(entry, { signature: "0" })]),
    "second-end",
  ],
  "a version of the policy is left out": [
    editing(
      (entry, { end }) => isA("policy")(entry) && Number(entry.details?.version) > 1 && Date.parse(entry.at) < end,
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
      const next = history.entries.find((entry) => isA("policy")(entry) && entry.details?.version === 1);
      if (chosen === undefined || next === undefined || Date.parse(chosen.at) - Date.parse(next.at) < 60_000)
        return undefined;
      const entries = history.entries.map((entry) => (entry === chosen ? saying(entry, { policyVersion: 0 }) : entry));
      return { ...history, entries };
    },
    "version-in-force",
  ],
  "a receipt has another digest of its policy": [
    (history, pick) => {
      const fitting = given(history).filter(({ policyVersion }) => policyVersion > 0);
      const chosen = fitting[pick % Math.max(1, fitting.length)];
      const receipts = history.receipts.map((each) => (each === chosen ? { ...each, policyDigest: "0" } : each));
      return chosen && { ...history, receipts };
    },
    "policy-digest",
  ],
  "a receipt is removed from the records": [
    (history) => {
      const [oldest, ...rest] = given(history).filter(({ isAnchored }) => !isAnchored);
      const limit = Date.parse(oldest?.createdAt ?? "") + 30 * 60_000;
      const removed = rest.find(({ createdAt }) => Date.parse(createdAt) > limit);
      return removed && { ...history, receipts: history.receipts.filter((each) => each !== removed) };
    },
    "receipt-removed",
  ],
  "an answer is backdated, and its entries are not": [
    (history, pick) => {
      const fitting = given(history);
      const chosen = fitting[pick % Math.max(1, fitting.length)];
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
      const keys = history.entries.filter(({ kind, details }) => kind === "signing-key" && details?.state === "begun");
      const [first] = given(history);
      const last = String(keys.at(-1)?.details?.publicKey);
      if (first === undefined || keys.length < 2 || first.publicKey === last) return undefined;
      const receipts = history.receipts.map((each) => (each === first ? { ...each, publicKey: last } : each));
      return { ...history, receipts };
    },
    "key-before-entry",
  ],
  "a key signs after its end": [
    (history) => {
      const ended = history.signingKeys.find(({ endedAt }) => endedAt !== undefined);
      const later = given(history).find(
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
  "a key is on the gate that is not in the log": [
    (history) => ({ ...history, gate: { keys: [{ publicKey: new Uint8Array(32), addedAtMs: 0 }] } }),
    "key-not-in-log",
  ],
  "the ledger closed a version of the policy that is not in the log": [
    withoutRestore((history) => ({ ...history, gate: { version: 1_000 } })),
    "policy-not-in-log",
  ],
  "the ledger has another chain with the gate": [
    (history) => ({ ...history, gate: { chain: { origin: LOG, size: 3, root: new Uint8Array(32) } } }),
    "not-as-anchored",
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
      (entry) => isA("api-key")(entry) && entry.details?.state === "ended",
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
    definedRoot(all.slice(index * 2 ** level, (index + 1) * 2 ** level));
  const treeOf = (all: readonly Uint8Array[], size: number) => ({ size, root: definedRoot(all.slice(0, size)) });
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
      if (i % 37 < 2) expect(growing.root()).toEqual(definedRoot(leaves.slice(0, i)));
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

  describe("at an entry that says that the log was begun anew, finds", () => {
    const OLD = "memory.example/old";
    const note = (size: number, name = OLD, all = leaves) => log.sign(treeOf(all, size), name);
    const entry = (index: number, checkpoint: string, more: object = {}) => {
      const at = new Date(index * HOUR_MS).toISOString();
      return { index, number: index, at, checkpoint, ...more };
    };
    const seenAs = (origin: string, hours: number) => ({ before: { origin, at: hours * HOUR_MS } });

    test.each([
      ["nothing", [entry(300, note(299))], {}],
      ["nothing if another name was between", [entry(300, note(299)), entry(400, note(400, "other"))], {}],
      ["nothing if nothing had been signed", [entry(2, "")], seenAs("memory.example/log", 1)],
      ["nothing of a name that was seen before", [entry(300, note(299))], seenAs(OLD, 200)],
      ["nothing to compare with what was seen later", [entry(300, note(299))], seenAs("memory.example/log", 301)],
      ["nothing where the tree does not go yet", [entry(500, note(499, OLD, other))], {}],
      ["another tree", [entry(300, note(299, OLD, other))], {}, "not-restored"],
      ["another cosigned tree", [entry(300, note(299), { cosigned: note(290, OLD, other) })], {}, "not-restored"],
      ["a cosigned tree of another name", [entry(300, note(299), { cosigned: note(290, "x") })], {}, "not-restored"],
      ["a tree that has the entry itself", [entry(300, note(301))], {}, "not-restored"],
      [
        "a checkpoint by another key",
        [entry(300, signedCheckpoints().sign(treeOf(leaves, 299), OLD))],
        {},
        "not-restored",
      ],
      ["no checkpoint", [entry(300, "restored")], {}, "not-restored"],
      ["the name that the log still has", [entry(300, note(299, "memory.example/log"))], {}, "not-restored"],
      ["a name that it did not have", [entry(300, note(299))], seenAs("memory.example/log", 200), "not-restored"],
    ] as const)("%s", async (_, entries, known, ...expected) => {
      const codes: FindingCode[] = [];
      const checkpoint = readCheckpoint(log.sign(treeOf(leaves, 450)), log.vkey, expect.fail);
      if (checkpoint === undefined) return expect.fail();
      const consistency = (from: number, to: number) => consistencyProof(from, to, nodesOf(leaves));
      const followed = { vkey: log.vkey, checkpoint, consistency, ...known };
      await checkRestored(entries, followed, (code) => void codes.push(code));
      expect(codes).toEqual(expected);
    });
  });

  test("remembers the last two sights that lie apart", () => {
    const sights = [0, 5_000, 12_000, 13_000, 30_000].reduce<readonly { size: number; at: number }[]>(
      (known, at) => addSight(known, { size: at, at }),
      [],
    );
    expect(sights.map(({ at }) => at)).toEqual([13_000, 30_000]);
  });
});
