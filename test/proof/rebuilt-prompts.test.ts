// The prompt of an answer, rebuilt from the receipt, the blobs, the question and the opening by the rules of docs/proof.md
// alone, equals the one that the model's endpoint received, byte for byte.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileTexts, texts } from "#test/support/arbitraries.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { runs } from "#test/support/runs.ts";
import { type Service, startService } from "#test/support/service.ts";
import type { Json } from "./independent/canonical-json.ts";
import { type PromptMemory, rebuildPrompt } from "./independent/rebuild-prompt.ts";
import { commitment, digestHex, isSigned, type OpenReceipt, saltOf, sealedForm } from "./independent/sealed-receipt.ts";
import { snippetOf } from "./independent/snippet.ts";

const ANSWERS = runs(200, 50);
/** In a namespace. The service takes a few more. */
const PINS_AT_MOST = 2;
const NAMESPACES = ["health", "diet", "__proto__", '<b>&"', "toString", "花粉症", "𝒳\\u003c"];

let standIn: OpenAiStandIn;
let service: Service;
let publicKey: Uint8Array;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
  service = await startService({
    environment: { MODEL_BASE_URL: standIn.baseUrl, MODEL_NAME: "m", PROMPT_CHARACTERS: "9000", SEED: "none" },
  });
  for (const agentId of ["reader", "companion"])
    for (const namespace of NAMESPACES) await service.client.setAccess({ agentId, namespace, allowed: true });
  publicKey = await signingKey();
});
afterAll(async () => {
  await service.stop();
  await standIn.close();
});

/** What the service takes as a text. */
const takenTexts = fc
  .oneof(hostileTexts, texts, fc.string({ unit: "grapheme", maxLength: 80 }))
  .map((text) => text.replace(/[^\P{Cc}\t\n\r]/gu, "\u200b").toWellFormed())
  .filter((text) => text.trim() !== "");
const contents = fc.oneof(
  { weight: 3, arbitrary: takenTexts },
  // Long ones, which are cut: within a word, after a sentence, and near surrogates and escaped characters.
  {
    weight: 2,
    arbitrary: fc
      .tuple(takenTexts, fc.constantFrom(". ", " ", "", "\n", "𝒳", "\u200b"), fc.integer({ min: 20, max: 400 }))
      .map(([text, end, times]) => Array.from(`${text}${end}`.repeat(times)).slice(0, 7_900).join("")),
  },
);
const questions = fc.oneof(takenTexts, fc.constantFrom("I can't breathe", "What may I eat on Friday?"));
const rounds = fc.record({
  captured: fc.array(
    fc.record({
      namespace: fc.constantFrom(...NAMESPACES),
      content: contents,
      occurredAt: fc.constantFrom(undefined, "2026-05-12", "2025-12-31T23:30:00-02:00"),
      isPinned: fc.nat(5),
    }),
    { maxLength: 3 },
  ),
  asker: fc.constantFrom("chat", "companion"),
  isStreamed: fc.boolean(),
  isContextSmall: fc.nat(4),
  question: questions.map((text) => Array.from(text).slice(0, 400).join("")),
  said: fc.oneof(takenTexts, fc.constantFrom("It is so [1].", "Nobody knows.")),
});

test(`on ${ANSWERS} random answers`, async () => {
  const pinned = new Map<string, number>();
  const seen = { cut: 0, dated: 0, pinned: 0, urgent: 0, retried: 0, memories: 0 };
  await fc.assert(
    fc.asyncProperty(rounds, async ({ captured, asker, isStreamed, isContextSmall, question, said }) => {
      for (const { isPinned, ...fact } of captured) {
        const { namespace } = fact;
        const { memory } = await service.client.capture({ ...fact, sourceAgent: "s" });
        const pins = pinned.get(namespace) ?? 0;
        if (isPinned > 0 || pins === PINS_AT_MOST) continue;
        pinned.set(namespace, pins + 1);
        await service.client.updateMemory({ memoryId: memory.memoryId }, { pinned: true });
      }
      standIn.reset();
      standIn.knobs.answer = () => said;
      if (isContextSmall === 0) standIn.knobs.contextCharacters = 6_000;
      const options = isStreamed ? { onText: () => undefined } : {};
      const { answer, receipt, opening } =
        asker === "chat"
          ? await service.client.chat({ agentId: "reader", query: question }, options)
          : await service.client.companion({ query: question }, options);
      const open = receipt as unknown as OpenReceipt;

      const used = await Promise.all(receipt.usedMemories.map(withContent));
      const prompt = rebuildPrompt(open.evidence.template ?? "", used, { question, createdAt: receipt.createdAt });
      expect(prompt).toEqual(lastPrompt());

      expect(isSigned(open, publicKey)).toBe(true);
      const { commitments } = sealedForm(open) as { commitments: Record<string, string> };
      const opened = (path: string, value: Json) => commitment(saltOf(opening.seed, path), value);
      expect(commitments["/prompt"]).toBe(opened("/prompt", prompt));
      expect(commitments["/question"]).toBe(opened("/question", question));
      expect(commitments["/answer"]).toBe(opened("/answer", answer));

      seen.memories += used.length;
      seen.cut += used.filter(({ given, content }) => given < content.length).length;
      seen.dated += used.filter(({ occurredAt }) => occurredAt).length;
      seen.pinned += used.filter(({ pinned }) => pinned).length;
      seen.urgent += Number(open.evidence.template === "companion-urgent/1");
      seen.retried += Number(standIn.received.length > 1);
    }),
    { numRuns: ANSWERS, endOnFailure: true },
  );
  // Otherwise the test would not have tried what it is for.
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
});

/** The used memory with the text of its blob, which is the one that the receipt shows. */
async function withContent(used: Awaited<ReturnType<Service["client"]["chat"]>>["receipt"]["usedMemories"][number]) {
  const response = await fetch(`${service.url}/v1/blobs/${used.storeRef}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(digestHex(bytes)).toBe(used.contentDigest);
  const { content, namespace, occurredAt }: PromptMemory = JSON.parse(bytes.toString());
  expect(namespace).toBe(used.namespace);
  expect(snippetOf(content)).toBe(used.snippet);
  return { ...used, content, occurredAt };
}

/** The last that the endpoint received. */
function lastPrompt() {
  const received = standIn.received.at(-1)?.json as { messages: { role: string; content: string }[] } | undefined;
  const textOf = (role: string) => received?.messages.find((message) => message.role === role)?.content;
  return { system: textOf("system"), user: textOf("user") };
}

async function signingKey(): Promise<Uint8Array> {
  // The first answer makes it.
  await service.client.chat({ agentId: "reader", query: "?" });
  const [key] = await service.tenant.records.signingKeys.list();
  return key?.publicKey ?? new Uint8Array();
}
