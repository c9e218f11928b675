// What the public parts of an anchored receipt let a stranger confirm: no guess of the question, the prompt or the answer.
// And one opened field opens no other.
import { blake2b } from "@noble/hashes/blake2.js";
import { beforeAll, describe, expect, test } from "vitest";
import { runs } from "#test/support/runs.ts";
import { startService } from "#test/support/service.ts";
import { canonicalJson, type Json } from "./independent/canonical-json.ts";
import { rebuildPrompt } from "./independent/rebuild-prompt.ts";
import { digestHex, type OpenReceipt, saltOf, sealedForm } from "./independent/sealed-receipt.ts";

const GUESSES = runs(10_000, 1_000);
const QUESTION = "What may I eat on Friday?";

/** What anybody can fetch: the anchored blob, the object on the ledger, the signed bytes, the blobs of the memories. */
let published: string[];
/** The same of the receipt anchored sealed. The blobs of its memories are not among it. */
let publishedSealed: string[];
let facts: Json[];
let seed: string;
let truth: { readonly question: Json; readonly prompt: Json; readonly answer: Json };

beforeAll(async () => {
  // Few memories: every public value is tried as the salt of every guess.
  const { client, url, stop } = await startService({ environment: { RECALL_LIMIT: "3" } });
  const { answer, receipt, opening } = await client.chat({ agentId: "assistant", query: QUESTION });
  const { receiptId, storeBlob } = await client.anchorOnChain({ receipt });
  const sealedAnchor = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
  const blobOf = async (id: string) => (await fetch(`${url}/v1/blobs/${id}`)).text();
  const blobs = await Promise.all(receipt.usedMemories.map(({ storeRef }) => blobOf(storeRef)));
  const object = await client.ledgerObject({ objectId: receiptId });
  const open = JSON.parse(await blobOf(storeBlob)) as OpenReceipt;
  published = [JSON.stringify(open), JSON.stringify(object), canonicalJson(sealedForm(open)), ...blobs];
  publishedSealed = [
    await blobOf(sealedAnchor.storeBlob),
    JSON.stringify(await client.ledgerObject({ objectId: sealedAnchor.receiptId })),
  ];
  const used = JSON.parse(JSON.stringify(receipt.usedMemories)) as { snippet: string }[];
  facts = [
    ...blobs.flatMap((blob) => [blob, JSON.parse(blob), JSON.parse(blob).content]),
    ...used.flatMap(({ snippet, ...rest }): Json[] => [snippet, rest as unknown as Json]),
    { blockedNamespaces: [...receipt.blockedNamespaces] },
  ];
  seed = opening.seed;
  const memories = receipt.usedMemories.map((used, i) => ({ ...used, ...JSON.parse(blobs[i] ?? "") }));
  const asked = { question: QUESTION, createdAt: receipt.createdAt };
  truth = { question: QUESTION, prompt: rebuildPrompt(open.evidence.template ?? "", memories, asked), answer };
  await stop();
});

/** The guesses that something public confirms: a digest in it is one of theirs, with any public value as salt. */
function confirmed(known: readonly string[], guesses: readonly Json[]): Json[] {
  const hexes = new Set(known.flatMap((text) => text.match(/[0-9a-f]{64}/g) ?? []));
  const prefix = Buffer.from("portcullis/commit/v2\0");
  const heads = ["", "0".repeat(64), ...hexes].map((salt) => Buffer.concat([prefix, Buffer.from(salt, "hex")]));
  return guesses.filter((guess) => {
    const json = Buffer.from(canonicalJson(guess));
    const plain = typeof guess === "string" ? [json, Buffer.from(guess)] : [json];
    const salted = heads.map((head) => Buffer.concat([head, json]));
    return [...plain, ...salted].some((bytes) => hexes.has(digestHex(bytes)));
  });
}

/** Likely words. The true ones are among them. */
function guesses(): Json[] {
  const [what, when] = [
    ["eat", "drink", "cook", "order", "buy"],
    ["Monday", "Friday", "Sunday", "today"],
  ];
  const likely = Array.from({ length: GUESSES - 3 }, (_, i) => {
    const verb = what[i % what.length];
    return `${i % 2 ? "What may I" : "What should I"} ${verb} on ${when[i % when.length]}${i < 40 ? "?" : ` ${i}?`}`;
  });
  return [...likely.slice(0, GUESSES / 2), truth.question, truth.prompt, truth.answer, ...likely.slice(GUESSES / 2)];
}

describe("the public parts of a receipt", () => {
  test(`confirm none of ${GUESSES.toLocaleString("en")} guesses, the true ones among them`, () => {
    const all = guesses();
    expect(all).toHaveLength(GUESSES);
    expect(confirmed(published, all)).toEqual([]);
  });

  test("confirm a guess as soon as they hold a plain digest: so the trial is a real one", () => {
    const plain = JSON.stringify({ answerDigest: digestHex(Buffer.from(String(truth.answer))) });
    expect(confirmed([...published, plain], ["no", truth.answer])).toEqual([truth.answer]);
  });

  test("hold neither the seed nor the salts of question, prompt and answer", () => {
    const hidden = ["/question", "/prompt", "/answer"].map((path) => saltOf(seed, path));
    for (const secret of [seed, ...hidden]) expect(published.join()).not.toContain(secret);
  });
});

describe("the public parts of a sealed receipt", () => {
  test(`confirm none of ${GUESSES.toLocaleString("en")} guesses of question, answer and facts, the true ones among them`, () => {
    const all = [...guesses().slice(0, GUESSES - facts.length - 1), ...facts, receiptAgent];
    expect(all).toHaveLength(GUESSES);
    expect(confirmed(publishedSealed, [...all, ...Object.values(truth)])).toEqual([]);
  });

  test("confirm every one of the true ones with the seed, so the trial is a real one", () => {
    const paths = ["/question", "/prompt", "/answer", "/agentId", "/blockedNamespaces"];
    const memories = [0, 1, 2].flatMap((i) => [`/usedMemories/${i}/rest`, `/usedMemories/${i}/snippet`]);
    const salts = [...paths, ...memories].map((path) => saltOf(seed, path));
    const found = confirmed([...publishedSealed, ...salts], [...Object.values(truth), receiptAgent, ...facts, "no"]);
    // The text of a short memory is its snippet, too.
    expect(new Set(found.map((one) => canonicalJson(one))).size).toBe(paths.length + memories.length);
  });

  test("say nothing of the memories' digests, ids and texts", () => {
    const text = publishedSealed.join();
    for (const fact of facts.filter((one) => typeof one === "string")) expect(text).not.toContain(fact);
    expect(text).not.toContain("contentDigest");
    expect(text).not.toContain(seed);
  });
});

const receiptAgent = "assistant";

describe.for(["question", "prompt", "answer"] as const)("when %s is opened", (name) => {
  test("it is confirmed, and the others are not, also with what can be derived from its salt", () => {
    const salt = saltOf(seed, `/${name}`);
    const paths = ["/question", "/prompt", "/answer", "/agentId", ""];
    const derived = paths.flatMap((path) => [
      saltOf(salt, path),
      digestHex(Buffer.concat([Buffer.from(salt, "hex"), Buffer.from(path)])),
      Buffer.from(blake2b(Buffer.from(salt, "hex"), { dkLen: 32, key: Buffer.from(path.padEnd(1)) })).toString("hex"),
    ]);
    expect(confirmed([...published, salt, ...derived], Object.values(truth))).toEqual([truth[name]]);
  });
});
