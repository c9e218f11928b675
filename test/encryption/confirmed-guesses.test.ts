// Whoever has a copy of the database and no key guesses texts: encrypted ones, questions that are not kept, and forgotten
// ones. What a copy confirms all the same is listed here, and in docs/threats.md.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { snippetOf } from "#core/receipt/receipt.ts";
import { cellsOfPostgres, cellsOfSqlite, confirmations, type Guess } from "#test/support/confirmed-guesses.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { recordingModel } from "#test/support/models.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const ENCRYPTION_KEY = "c4".repeat(32);
const LONG_MS = 300_000;
const TEXTS = {
  encrypted: "The PIN of the safe is 4711.",
  later: "The alarm is switched off with 2580.",
  corrected: "The code of the garage is 1357.",
  forgotten: "The bicycle lock opens with 9090.",
  kept: "The letterbox opens with 1212.",
};
const QUESTION = "Which PIN, which code, and what opens with 9090?";
/** Of everybody while there are no identities. */
const IDENTITY = JSON.stringify(["open", "admin"]);

/** Idempotency-Keys that can be guessed: short ones, and such as follow from the text. */
const guessable = (text: string) => ({ idempotencyKey: createHash("sha256").update(text).digest("hex").slice(0, 40) });

async function usedService(kind: "sqlite" | "postgres", environment: Record<string, string>) {
  const postgres = kind === "postgres" ? await databaseForTest() : undefined;
  const database = postgres?.url ?? join(await directoryForTest(), "records.db");
  const model = recordingModel();
  const isEncryption = environment.ENCRYPTION_KEY !== undefined;
  const settings = { SEED: "none", ...environment };
  const { client, tenant, url } = await serviceForTest({ database, environment: settings, overrides: { model } });
  // Without a key to encrypt with, the Idempotency-Key is what cannot be guessed.
  const made = createClient({ baseUrl: url, retries: 1 });
  const idempotent = (text: string) => (isEncryption ? guessable(text) : {});
  const fact = (namespace: string, content: string) => ({ namespace, content, sourceAgent: "s" });
  for (const namespace of ["vault", "later", "open"])
    await client.setAccess({ agentId: "a", namespace, allowed: true });
  const capture = async (namespace: string, text: string, life: object = {}) =>
    (await made.capture({ ...fact(namespace, text), ...life }, idempotent(text))).memory;
  if (isEncryption) {
    await client.putNamespace({ name: "vault" }, { encrypted: true });
    await capture("vault", TEXTS.encrypted);
    await capture("vault", TEXTS.corrected, { key: "garage" });
    await capture("vault", "The code of the garage is another one.", { key: "garage" });
    await capture("later", TEXTS.later);
    await client.putNamespace({ name: "later" }, { encrypted: true });
    await expect.poll(() => tenant.records.encryption.unencryptedNamespaces()).toEqual([]);
  }
  const { memoryId } = await capture("open", TEXTS.forgotten);
  await capture("open", TEXTS.kept);
  const { answer, receipt } = await made.chat({ agentId: "a", query: QUESTION }, idempotent(QUESTION));
  expect(receipt.usedMemories.length).toBeGreaterThan(1);
  await made.recall({ agentId: "a", query: QUESTION }, idempotent(`recall ${QUESTION}`));
  // Of no memory that anybody may use.
  await made.chat({ agentId: "b", query: QUESTION }, idempotent(`chat ${QUESTION}`));
  await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
  await client.forgetMemory({ memoryId });

  function guessOf(text: string): Guess {
    const isQuestion = text === QUESTION;
    const agents = ["a", "b"].map((agentId) => ({ agentId, query: text }));
    const facts = ["vault", "later", "open"].map((namespace) => fact(namespace, text));
    const bodies = isQuestion ? agents : [...facts, ...facts.map((each) => ({ ...each, key: "garage" }))];
    const contents = bodies.map((body) => ({ params: null, body }));
    const keys = [text, `recall ${text}`, `chat ${text}`].map((each) => guessable(each).idempotencyKey);
    const routes = ["POST /api/memories", "POST /api/chat", "POST /api/recall"];
    const keyed = keys.flatMap((key) => routes.map((route) => [IDENTITY, route, key]));
    const requests = [...contents, ...keyed, ...keyed.flatMap((each) => contents.map((content) => [...each, content]))];
    const snippets = Array.from({ length: 6 }, (_, i) => [`/usedMemories/${i}/snippet`, snippetOf(text)]);
    const prompts = isQuestion
      ? [
          ["/question", text],
          ["/prompt", model.prompts[0]],
          ["/answer", answer],
        ]
      : snippets;
    return { values: [text, ...bodies], requests, committed: Object.fromEntries(prompts) };
  }
  const cells = postgres === undefined ? cellsOfSqlite(database) : await cellsOfPostgres(postgres.run);
  const confirmedBy = confirmations(cells);
  return { confirmed: (text: string) => confirmedBy(guessOf(text)) };
}

describe.for(["sqlite", "postgres"] as const)("A copy of the database (%s)", { timeout: LONG_MS }, (kind) => {
  test("confirms no guess of what is encrypted, and none of a question, where there is a key to encrypt with", async () => {
    const { confirmed } = await usedService(kind, { ENCRYPTION_KEY });
    for (const text of [TEXTS.encrypted, TEXTS.later, TEXTS.corrected, QUESTION])
      expect([text, confirmed(text)]).toEqual([text, []]);
    // The ids of public blobs follow from their texts, and receipts name them for ever.
    expect(confirmed(TEXTS.forgotten)).toEqual(["receipts.body"]);
    // The search finds what is there.
    expect(confirmed(TEXTS.kept)).toEqual(expect.arrayContaining(["memories.content_digest", "memories.store_ref"]));
  });

  test("without a key confirms guesses by the seeds and the blob ids of receipts alone", async () => {
    const { confirmed } = await usedService(kind, {});
    for (const text of [TEXTS.forgotten, QUESTION])
      expect([text, confirmed(text)]).toEqual([text, ["anchors.body", "receipts.body"]]);
  });
});
