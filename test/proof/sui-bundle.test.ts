// The bundle of an answer that is anchored on Sui carries what leads from the receipt's object to the signature of the
// validators: followed here by the rules of docs/proof-ledger.md, from the file alone.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bcs } from "@mysten/sui/bcs";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { expect, onTestFinished, test } from "vitest";
import { startGrpcChain } from "#test/support/local-chain.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import {
  contentsDigest,
  effectsDigest,
  readBitmap,
  readContents,
  readSummary,
  signedSummary,
  signerOf,
  transactionDigest,
} from "./independent/ledger-bytes.ts";

const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, "base64"));

interface Carried {
  readonly bcs: string;
  readonly signatures: readonly string[];
  readonly effects: string;
  readonly checkpoint?: Readonly<Record<"summary" | "contents" | "epoch" | "signature" | "bitmap", string>>;
  readonly committee?: readonly { readonly publicKey: string; readonly weight: number }[];
}

async function onSui() {
  const chain = await startGrpcChain();
  onTestFinished(() => chain.stop());
  const service = await serviceForTest({
    environment: {
      SUI_NETWORK: "localnet",
      SUI_URL: chain.node.baseUrl,
      SUI_KEYSTORE: (chain.signer as { getSecretKey?(): string }).getSecretKey?.() ?? "",
      SUI_PACKAGE_ID: chain.packageId,
      SUI_GATE_ID: chain.gateId,
    },
  });
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
  const { receiptId, txDigest } = await service.client.anchorOnChain({ receipt });
  const path = join(await directoryForTest(), "answer.json");
  async function prove() {
    expect(await portcullis(["proof", receipt.answerId, "--out", path], { url: service.url })).toMatchObject({
      code: 0,
    });
    const bundle = JSON.parse(await readFile(path, "utf8"));
    const verified = await portcullis(["verify", path, "--json"], { url: "http://127.0.0.1:9" });
    return { bundle, verdict: JSON.parse(verified.out).verdict, carried: bundle.transactions[txDigest] as Carried };
  }
  return { chain, receiptId, txDigest, prove };
}

test("the file leads from the receipt's object to a quorum of the committee", async () => {
  const { chain, receiptId, txDigest, prove } = await onSui();
  const { bundle, verdict, carried } = await prove();
  expect(verdict).toBe("verified");
  const transaction = bytesOf(carried.bcs);
  expect(transactionDigest(transaction)).toBe(txDigest);
  expect(signerOf(transaction, carried.signatures[0] ?? "")).toBe(chain.signer.toSuiAddress());

  const effects = bytesOf(carried.effects);
  const { V2: said } = bcs.TransactionEffects.parse(effects);
  expect(said?.transactionDigest).toBe(txDigest);
  const [, written] = said?.changedObjects.find(([id]) => id === receiptId) ?? expect.fail("no such object");
  expect(written.outputState.ObjectWrite?.[0]).toBe(bundle.objects[receiptId].digest);

  const { summary = "", contents = "", epoch = "", signature = "", bitmap = "" } = carried.checkpoint ?? {};
  expect(readContents(bytesOf(contents))).toContainEqual({ transaction: txDigest, effects: effectsDigest(effects) });
  const read = readSummary(bytesOf(summary));
  expect(read).toMatchObject({ contents: contentsDigest(bytesOf(contents)), epoch: BigInt(epoch) });

  const signers = readBitmap(bytesOf(bitmap)).map((i) => carried.committee?.[i] ?? expect.fail("no such validator"));
  expect(signers.reduce((sum, { weight }) => sum + weight, 0)).toBeGreaterThanOrEqual(6_667);
  const bls = bls12_381.shortSignatures;
  const key = bls.aggregatePublicKeys(signers.map(({ publicKey }) => bytesOf(publicKey)));
  const isSigned = (bytes: Uint8Array) =>
    bls.verify(bytesOf(signature), bls.hash(signedSummary(bytes, read.epoch), DOMAIN), key);
  expect(isSigned(bytesOf(summary))).toBe(true);
  expect(isSigned(bytesOf(summary).with(8, 255))).toBe(false);
});

test("what a node does not give is left out, and the file still verifies", async () => {
  const { chain, prove } = await onSui();
  chain.node.inject("GetCheckpoint", { kind: "error", executes: false });
  const { verdict, carried } = await prove();
  expect(verdict).toBe("verified");
  expect(Object.keys(carried).sort()).toEqual(["bcs", "effects", "signatures"]);
});
