// The CPU time that a receipt costs: its commitments and its signature, beside two plain digests of prompt and answer.
import { join } from "node:path";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { digestOf, digestOfText } from "#core/encoding/digest.ts";
import type { AllowedMemory } from "#core/gate/gate.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import { usedMemory } from "#core/receipt/receipt.ts";
import { ANSWER, commitToHidden, PROMPT, QUESTION, seal, signedBytes } from "#core/receipt/sealed-form.ts";
import { newId, newSeed } from "#service/ids.ts";
import { createReceiptSigner, type ReceiptSigner } from "#service/receipts/receipt-signer.ts";
import { installWasmDigest } from "#wasm-digest.ts";
import type { Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const MEMORIES = [4, 12];
const ROUNDS = 9;
const RECEIPTS = 1_000;
const AIM_MICROS = 150;

export const receipt: Benchmark = {
  title: `commitments and signature of a receipt, beside plain digests, ${RECEIPTS} receipts a round`,

  async run(progress) {
    await installWasmDigest();
    const records = sqliteRecords({ path: join(createTemporaryFolder(), "portcullis.db") });
    try {
      const signer = createReceiptSigner(records, () => new Date());
      const figures: Figure[] = [];
      for (const memories of MEMORIES) figures.push(...(await compare(memories, signer, progress)));
      return { figures, notes: ["CPU time of all threads of the process, garbage collection included."] };
    } finally {
      await records.close();
    }
  },
};

async function compare(memories: number, signer: ReceiptSigner, progress: Progress): Promise<Figure[]> {
  const answered = exampleAnswer(memories);
  const digests: number[] = [];
  const sealed: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    progress(`receipt: ${memories} memories, round ${round} of ${ROUNDS}`);
    digests.push(await microsOf(() => plainDigests(answered)));
    sealed.push(await microsOf(() => sealAndSign(answered, signer)));
  }
  digests.shift();
  sealed.shift();
  const what = (name: string) => `${memories} memories, ${name}`;
  return [
    { id: `sealed${memories}`, what: what("sealed and signed"), unit: "µs", rounds: sealed },
    { id: `digests${memories}`, what: what("plain digests"), unit: "µs", rounds: digests },
    {
      id: `more${memories}`,
      what: what("the difference"),
      unit: "µs",
      rounds: sealed.map((micros, round) => micros - (digests[round] ?? 0)),
      aim: { under: AIM_MICROS },
    },
  ];
}

async function microsOf(make: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < RECEIPTS; i++) await make();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RECEIPTS;
}

type Example = ReturnType<typeof exampleAnswer>;

function exampleAnswer(count: number) {
  const memories = Array.from({ length: count }, (_, i) => exampleMemory(i));
  const query = "What should I know about the knee before dinner?";
  const asked = { template: "assistant/1", memories, query, askedAt: "2026-05-01T10:00:00.000Z" } as const;
  const { system, user, memories: given } = renderPrompt(asked);
  const answer = memories.slice(0, 3).map(({ content }, i) => `${content} [${i + 1}]`);
  return { prompt: { system, user }, given, query, answer: answer.join(" ") };
}

function exampleMemory(i: number): AllowedMemory {
  const content = `On ${i + 1} May the physiotherapist said that the left knee needs two more weeks without running; until then Jonas walks the dog in the morning.`;
  const digest = digestOfText(content);
  const storeRef = digest.slice(0, 43);
  const memory = { content, namespace: "health", sourceAgent: "bench", memoryId: newId("mem"), storeRef };
  return { ...memory, contentDigest: digest, createdAt: new Date().toISOString() } as AllowedMemory;
}

const POLICY = { policyDigest: digestOfText("policy"), policyVersion: 17 };

/** What both have: the first fields, and the used memories. */
function partsOf({ given }: Example) {
  const head = { agentId: "assistant", answerId: newId("ans"), blockedNamespaces: ["finance", "relationships"] };
  const checked = { verified: true, intact: true };
  const used = given.map((memory) => usedMemory(memory, checked, true));
  return { ...head, createdAt: new Date().toISOString(), usedMemories: used };
}

function plainDigests(example: Example) {
  const digests = { answerDigest: digestOfText(example.answer), promptDigest: digestOf(example.prompt) };
  return { ...partsOf(example), evidence: { ...digests, ...POLICY, model: "built-in" } };
}

async function sealAndSign(example: Example, signer: ReceiptSigner) {
  const seed = newSeed();
  const known = commitToHidden(seed, [
    [PROMPT, example.prompt],
    [QUESTION, example.query],
  ]);
  const commitments = { ...commitToHidden(seed, [[ANSWER, example.answer]]), ...known };
  const evidence = {
    commitments,
    kind: "answered",
    model: "built-in",
    ...POLICY,
    template: "assistant/1",
    v: 2,
  } as const;
  const { open, sealed } = seal(seed, { ...partsOf(example), evidence });
  return { ...open, signature: await signer.signBytes(signedBytes(sealed)) };
}
