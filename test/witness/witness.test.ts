// A witness over HTTP, on a real folder: what it cosigns, what it refuses, and that it never signs two trees of one log.
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { toBase64 } from "#core/log/base64.ts";
import { checkpointText, cosignedAt, parseCheckpoint } from "#core/log/checkpoint.ts";
import { consistencyProof, EMPTY_ROOT, leafHash, nodeHash, type ReadNode, rootOf } from "#core/log/merkle-tree.ts";
import { KEY_TYPES, type NoteKey, signatureLine, vkeyOf } from "#core/log/signed-note.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest } from "#test/support/service.ts";
import { createWitness, type WitnessState } from "#witness/witness.ts";
import { openWitnessFolder } from "#witness/witness-folder.ts";
import { witnessServer } from "#witness/witness-server.ts";

const ORIGIN = "log.example/answers";
const NAME = "witness.example/w1";

/** A log, whose entries are numbers from `first` on. */
function createLog(first = 0, origin = ORIGIN, pair = generateKeyPairSync("ed25519")) {
  const publicKey = Uint8Array.from(pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  const key: NoteKey = { name: origin, type: KEY_TYPES.signature, publicKey };
  const read: ReadNode = async (level, index) =>
    level === 0
      ? leafHash(Uint8Array.of(first, index))
      : nodeHash(await read(level - 1, 2 * index), await read(level - 1, 2 * index + 1));
  const signed = (text: string) => `${text}\n${signatureLine(key, sign(null, Buffer.from(text), pair.privateKey))}`;
  const checkpoint = async (size: number) => signed(checkpointText({ origin, size, root: await rootOf(size, read) }));
  return {
    key,
    pair,
    signed,
    checkpoint,
    async request(from: number, size: number, proofFrom = from): Promise<string> {
      const hashes = (await consistencyProof(proofFrom, size, read)).map((hash) => `${toBase64(hash)}\n`);
      return `old ${from}\n${hashes.join("")}\n${await checkpoint(size)}`;
    },
  };
}

async function startWitness(folder: string, logs: readonly NoteKey[], now = () => 1_700_000_000_500) {
  const opened = openWitnessFolder(folder, NAME);
  const failures: unknown[] = [];
  const server = witnessServer(createWitness({ ...opened, logs, now }), (error) => failures.push(error));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    opened.close();
  };
  return {
    key: opened.key,
    failures,
    stop,
    async add(body: string) {
      const response = await fetch(`${url}/add-checkpoint`, { method: "POST", body });
      return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
    },
    async latest(origin = ORIGIN) {
      const response = await fetch(`${url}/${createHash("sha256").update(origin).digest("hex")}/checkpoint`);
      return { status: response.status, text: await response.text() };
    },
  };
}

async function witnessForTest(logs: readonly NoteKey[], folder?: string) {
  const witness = await startWitness(folder ?? (await directoryForTest()), logs);
  onTestFinished(witness.stop);
  return witness;
}

test("cosigns trees that continue each other, and shows the latest with its signatures", async () => {
  const log = createLog();
  const witness = await witnessForTest([log.key]);
  expect((await witness.latest()).status).toBe(404);
  for (const [from, size] of [
    [0, 0],
    [0, 3],
    [3, 3],
    [3, 8],
    [8, 21],
  ] as const) {
    const added = await witness.add(await log.request(from, size));
    expect(added).toMatchObject({ status: 200, text: expect.stringMatching(/^— witness\.example\/w1 \S+\n$/) });
    const cosigned = parseCheckpoint((await log.checkpoint(size)) + added.text) ?? expect.fail("malformed");
    expect(cosignedAt(cosigned.note, witness.key)).toBe(1_700_000_000);
  }
  expect(await witness.latest()).toEqual({
    status: 200,
    text: (await log.checkpoint(21)) + (await witness.add(await log.request(21, 21))).text,
  });
});

test("refuses what is malformed, unknown, unsigned, behind, or another tree", async () => {
  const [log, stranger] = [createLog(), createLog(0, "log.example/other")];
  const fork = createLog(1, ORIGIN, log.pair);
  const witness = await witnessForTest([log.key]);
  const statusOf = async (body: string) => (await witness.add(body)).status;
  expect(await statusOf(await log.request(0, 5))).toBe(200);

  const good = await log.request(5, 9);
  for (const body of [
    "",
    "old 5",
    good.replace("old 5", "old 05"),
    good.replace("old 5", "old 10"),
    good.replace("old 5\n", "old 5\nAAAA\n"),
    good.replace("old 5\n", `old 5\n${`${toBase64(EMPTY_ROOT)}\n`.repeat(64)}`),
    good.slice(0, -1),
  ])
    expect(await statusOf(body), body).toBe(400);
  expect(await statusOf(await stranger.request(0, 5))).toBe(404);
  expect(await statusOf(await createLog().request(5, 9))).toBe(403);
  expect(await statusOf(good.replace("\n9\n", "\n8\n"))).toBe(403);
  expect(await witness.add(await log.request(0, 9))).toMatchObject({
    status: 409,
    text: "5\n",
    type: "text/x.tlog.size",
  });
  expect(await statusOf(await log.request(5, 9, 4))).toBe(422);
  expect(await statusOf(await fork.request(5, 9))).toBe(422);
  expect(await statusOf(await fork.request(5, 5))).toBe(422);
  expect(await statusOf("x".repeat(200_000))).toBe(413);
  const [, line = ""] = good.split(/(?=— )/);
  expect(await statusOf(good + line.repeat(3))).toBe(403);
  expect(await statusOf(good)).toBe(200);
  expect(witness.failures).toEqual([]);
});

test("has no tree but the empty one of no entries", async () => {
  const log = createLog();
  const witness = await witnessForTest([log.key]);
  const text = checkpointText({ origin: ORIGIN, size: 0, root: leafHash(Uint8Array.of(1)) });
  expect((await witness.add(`old 0\n\n${log.signed(text)}`)).status).toBe(422);
});

test("of two forks that two processes are asked for at once, one is cosigned, and it stays that one after a restart", async () => {
  const folder = await directoryForTest();
  const log = createLog();
  const forks = [log, createLog(1, ORIGIN, log.pair), createLog(2, ORIGIN, log.pair), createLog(3, ORIGIN, log.pair)];
  const processes = [await witnessForTest([log.key], folder), await witnessForTest([log.key], folder)];
  const asked = await Promise.all(forks.map((fork) => fork.request(0, 4)));
  const added = await Promise.all(asked.map((body, i) => processes[i % 2]?.add(body)));
  expect(added.filter((each) => each?.status === 200)).toHaveLength(1);
  const cosigned = added.findIndex((each) => each?.status === 200);

  const again = await witnessForTest([log.key], folder);
  expect(again.key).toEqual(processes[0]?.key);
  for (const other of forks.filter((_, i) => i !== cosigned))
    expect((await again.add(await other.request(4, 6))).status).toBe(422);
  expect((await again.add((await forks[cosigned]?.request(4, 6)) ?? "")).status).toBe(200);
});

test("signs nothing that is not on disk", async () => {
  const log = createLog();
  const folder = await directoryForTest();
  const { key, privateKey, close } = openWitnessFolder(folder, NAME);
  onTestFinished(close);
  const state: WitnessState = {
    latest: () => undefined,
    update(_, decide) {
      decide(undefined);
      throw new Error("disk full");
    },
  };
  const witness = createWitness({ key, privateKey, logs: [log.key], state, now: Date.now });
  const body = await log.request(0, 4);
  expect(() => witness.addCheckpoint(body)).toThrow("disk full");
});

test("keeps its key to itself, and its folder to one name", async () => {
  const folder = await directoryForTest();
  openWitnessFolder(folder, NAME).close();
  expect(statSync(join(folder, "witness-key.pem")).mode & 0o777).toBe(0o600);
  expect(() => openWitnessFolder(folder, "witness.example/w2")).toThrow(`belongs to the witness ${NAME}`);
  rmSync(join(folder, "checkpoints.db"));
  expect(() => openWitnessFolder(folder, NAME)).toThrow("has a key and no checkpoints.db");
});

test("is a command, which says its key as a line of a policy", async () => {
  const folder = await directoryForTest();
  const logs = join(folder, "logs.txt");
  writeFileSync(logs, `# Ours.\nlog ${vkeyOf(createLog().key)}\n`);
  const command = ["witness", join(folder, "state"), "--name", NAME, "--logs", logs, "--port", "0"];
  const stop = new AbortController();
  const { promise: line, resolve: onWrite } = Promise.withResolvers<string>();
  const running = portcullis(command, { signal: stop.signal, onWrite });
  const [, url] =
    /^witness witness\.example\/w1 witness\.example\/w1\+[0-9a-f]{8}\+\S+ (http:\S+)\n$/.exec(await line) ?? [];
  expect((await fetch(`${url}/add-checkpoint`, { method: "POST", body: "" })).status).toBe(400);
  stop.abort();
  expect(await running).toMatchObject({ code: 0, err: "" });

  expect(await portcullis(command.with(3, "two words"))).toMatchObject({
    code: 2,
    err: expect.stringContaining("--name"),
  });
  writeFileSync(logs, "log nonsense\n");
  expect(await portcullis(command)).toMatchObject({ code: 1, err: expect.stringContaining("Line 1 of the policy") });
});
