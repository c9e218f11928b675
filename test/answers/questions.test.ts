// The built-in model gives every question of the table its right answer: alone, with the memories that it should be given,
// and through the whole service, with what recall finds in the seed.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import { SEED_FACTS, SEED_POLICY } from "#service/operations/reset.ts";
import { memoriesOf } from "#test/support/arbitraries.ts";
import { noFence } from "#test/support/models.ts";
import { type Service, startService } from "#test/support/service.ts";
import { OFFERED, ROWS, type Row } from "./questions.ts";

/** A Tuesday, in the weeks of the seed. */
const ASKED = "2026-05-05T10:00:00.000Z";

const nameOf = ({ language, asker, question }: Row): string => `${language}, ${asker}: ${question}`;
const named = (rows: readonly Row[]) => rows.map((row) => [nameOf(row), row] as const);

/** The memories that the asker may use, the newest first, as recall fills up. */
function memoriesFor({ asker, memories }: Row) {
  const facts = memories ?? [...SEED_FACTS].reverse();
  const policy =
    memories === undefined
      ? SEED_POLICY
      : policyFrom(facts.map(({ namespace }) => ({ agentId: asker, namespace, allowed: true })));
  const stored = memoriesOf(facts).map((memory, i) => ({
    ...memory,
    ...(facts[i]?.pinned && { pinned: true as const }),
  }));
  return admit(asker, stored, policy);
}

function expectRight(row: Row, answer: string): void {
  const { begins = "", says = [], never = [] } = row;
  expect(answer.slice(0, begins.length), answer).toBe(begins);
  let from = 0;
  for (const text of says) {
    expect(answer.slice(from), answer).toContain(text);
    from = answer.indexOf(text, from);
  }
  for (const text of never) expect(answer, answer).not.toContain(text);
}

describe("the built-in model alone", () => {
  test.for(named(ROWS))("%s", async ([, row]) => {
    const memories = memoriesFor(row);
    const template = row.asker === "companion" ? "companion/1" : "assistant/1";
    const prompt = renderPrompt({ template, memories, query: row.question, askedAt: ASKED });
    const { text, cited = [] } = await builtInModel().complete(prompt, { fence: noFence });
    expectRight(row, text);
    const quoted = cited.map((position) => prompt.memories[position]?.memory.content ?? "");
    if (row.cites !== undefined) {
      expect(quoted.length, text).toBe(row.cites.length);
      for (const beginning of row.cites)
        expect(
          quoted.some((content) => content.startsWith(beginning)),
          text,
        ).toBe(true);
    }
  });
});

describe("through the service", () => {
  // An answer changes no memory, so each question finds the seed as it was.
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  test.for(named(ROWS.filter(({ memories, recallMisses }) => memories === undefined && !recallMisses)))(
    "%s",
    async ([, row]) => {
      const { client } = service;
      const query = row.question;
      const { answer } =
        row.asker === "companion"
          ? await client.companion({ query })
          : await client.chat({ agentId: row.asker, query });
      expectRight(row, answer);
    },
  );

  test("every question that the app, the README and the documentation offer has a row", () => {
    const rows = new Set(OFFERED.map(({ question }) => question));
    const offered = [
      ...questionsIn("web/src/pages/console/ask-form.tsx", /^ {2}"(.+\?)",$/gm),
      ...questionsIn("web/src/pages/companion/companion-page.tsx", /placeholder="(.+?)"/g),
      ...questionsIn("docs/api.md", /"query":"(.+?)"/g),
      ...PAGES_WITH_QUESTIONS.flatMap((page) => questionsIn(page, /\b(?:chat|recall) "(.+?)"/g)),
      ...questionsIn("src/http/pages/app-pages.ts", /"query":"(.+?)"/g),
    ];
    for (const question of offered) expect([...rows]).toContain(question);
  });

  test("the table has more than sixty questions, in five languages", () => {
    expect(new Set(ROWS.map(({ question }) => question)).size).toBeGreaterThan(60);
    expect(new Set(ROWS.map(({ language }) => language)).size).toBeGreaterThan(5);
  });
});

const PAGES_WITH_QUESTIONS = ["README.md", "docs/start.md", "docs/gate.md", "docs/verify.md", "docs/command-line.md"];

function questionsIn(file: string, pattern: RegExp): string[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const found = [...text.matchAll(pattern)].map(([, question = ""]) => question);
  expect(found, `questions in ${file}`).not.toEqual([]);
  return found;
}
