import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOfText } from "#core/encoding/digest.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { memoryCount, promptFrom, type RenderedPrompt, readPrompt, renderPrompt } from "#core/prompt/prompt.ts";
import { isPromptTemplate, promptText, systemText } from "#core/prompt/template.ts";
import { hostileTexts, memoriesOf, namespaces } from "#test/support/arbitraries.ts";

interface PromptFact {
  readonly namespace: string;
  readonly content: string;
  readonly pinned?: true;
  readonly occurredAt?: string;
}

const ASKED = "2026-05-01T23:59:59.999Z";
const TAGS = ["<memories>", "</memories>", '<question date="2026-05-01">', "</question>"];
const factLists = fc.array(fc.record({ namespace: namespaces, content: hostileTexts }), { maxLength: 12 });

function allowed(facts: readonly PromptFact[]) {
  const policy = policyFrom(facts.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
  const memories = memoriesOf(facts).map((memory, i) => ({
    ...memory,
    ...(facts[i]?.pinned && { pinned: true as const }),
  }));
  return admit("a", memories, policy);
}

function render(facts: readonly PromptFact[], query: string, characters?: number): RenderedPrompt {
  const asked = { template: "assistant/1", memories: allowed(facts), query, askedAt: ASKED } as const;
  return renderPrompt({ ...asked, ...(characters && { characters }) });
}

const lengthOf = ({ system, user }: RenderedPrompt): number => system.length + user.length;

describe("the prompt", () => {
  test("can be parsed back to exactly the same memories and question, whatever they contain", () => {
    fc.assert(
      fc.property(factLists, hostileTexts, (facts, query) => {
        const memories = facts.map((fact, i) => ({ n: i + 1, ...fact }));
        expect(readPrompt(render(facts, query))).toEqual({ memories, query, date: "2026-05-01" });
      }),
    );
  });

  test("has one line per memory and one pair of tags per block, whatever the memories contain", () => {
    fc.assert(
      fc.property(factLists, hostileTexts, (facts, query) => {
        const prompt = render(facts, query);
        expect(prompt.user.split("\n").length).toBe(facts.length + 5);
        expect(memoryCount(prompt)).toBe(facts.length);
        expect(prompt.user.match(/<[^>]*>/g)).toEqual(TAGS);
        expect(prompt.user).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test("shows the day, in UTC, of facts that say when, and of the question", () => {
    const days = ["2026-05-12", "2025-12-31T23:30:00.000Z", undefined].map((occurredAt) => ({
      namespace: "n",
      content: "c",
      ...(occurredAt && { occurredAt }),
    }));
    const { user } = render(days, "When?");
    expect(user).toBe(
      [
        "<memories>",
        '{"n":1,"namespace":"n","content":"c","date":"2026-05-12"}',
        '{"n":2,"namespace":"n","content":"c","date":"2025-12-31"}',
        '{"n":3,"namespace":"n","content":"c"}',
        "</memories>",
        '<question date="2026-05-01">',
        '"When?"',
        "</question>",
      ].join("\n"),
    );
  });

  test("has the same instructions for all memories and questions", () => {
    const none = render([], "");
    fc.assert(fc.property(factLists, hostileTexts, (facts, query) => render(facts, query).system === none.system));
  });

  test("cannot be rendered from memories that have not passed the gate: that does not compile", () => {
    const asked = { template: "assistant/1", query: "q", askedAt: ASKED } as const;
    // @ts-expect-error a plain Memory is not an AllowedMemory
    renderPrompt({ ...asked, memories: memoriesOf([{ namespace: "n", content: "c" }]) });
  });
});

describe("the prompt's budget", () => {
  const longTexts = fc
    .tuple(hostileTexts, fc.integer({ min: 1, max: 120 }))
    .map(([text, times]) => text.repeat(times).slice(0, 8_000).toWellFormed());
  const longFacts = fc.record(
    {
      namespace: namespaces,
      content: fc.oneof(hostileTexts, longTexts),
      pinned: fc.constant(true as const),
      occurredAt: fc.constantFrom("2026-05-12", "2025-12-31T23:30:00.000Z"),
    },
    { requiredKeys: ["namespace", "content"] },
  );

  test("is never exceeded, and what is in the prompt is in order, each whole or a marked beginning", () => {
    fc.assert(
      fc.property(
        fc.array(longFacts, { maxLength: 20 }),
        hostileTexts,
        fc.integer({ min: 4_000, max: 30_000 }),
        (facts, query, characters) => {
          const prompt = render(facts, query, characters);
          const read = readPrompt(prompt);
          expect(lengthOf(prompt)).toBeLessThanOrEqual(characters);
          expect(prompt.user.match(/<[^>]*>/g)).toEqual(TAGS);
          expect(read.query).toBe(query);

          const inOrder = [
            ...allowed(facts).filter(({ pinned }) => pinned),
            ...allowed(facts).filter(({ pinned }) => !pinned),
          ];
          const held = new Set(prompt.memories.map(({ memory }) => memory.memoryId));
          expect(prompt.memories.map(({ memory }) => memory)).toEqual(
            inOrder.filter(({ memoryId }) => held.has(memoryId)),
          );
          expect(read.memories.map(({ n }) => n)).toEqual(prompt.memories.map((_, i) => i + 1));
          for (const [i, { namespace, content, pinned, cut }] of read.memories.entries()) {
            const { memory, given } = prompt.memories[i] ?? {};
            expect({ namespace, pinned }).toEqual({ namespace: memory?.namespace, pinned: memory?.pinned });
            expect(content.isWellFormed()).toBe(true);
            expect(given).toBe(content.length);
            if (cut) expect(memory?.content.startsWith(content) && content.length < memory.content.length).toBe(true);
            else expect(content).toBe(memory?.content);
          }
        },
      ),
    );
  });

  test("can be rebuilt byte for byte from the memories, how much of each was given, and the question", () => {
    fc.assert(
      fc.property(fc.array(longFacts, { maxLength: 20 }), hostileTexts, (facts, query) => {
        const { system, user, memories } = render(facts, query, 6_000);
        const given = memories.map(({ memory, given }) => promptText(memory, given));
        const asked = { question: query, createdAt: ASKED };
        expect(promptFrom("assistant/1", given, asked)).toEqual({ system, user });
      }),
    );
  });

  test("leaves nothing out and cuts nothing when all fits", () => {
    fc.assert(
      fc.property(fc.array(longFacts, { maxLength: 20 }), (facts) => {
        const whole = render(facts, "q", 10_000_000);
        const fitted = render(facts, "q", lengthOf(whole));
        expect(fitted).toEqual(whole);
        expect(fitted.memories.length).toBe(facts.length);
      }),
    );
  });

  const sentence = "Every day of that week had its own small story. ";
  const long = { namespace: "diary", content: sentence.repeat(150).trim() };

  test("cuts long memories at the end of a sentence and keeps the short ones whole", () => {
    const short = { namespace: "health", content: "Severe peanut allergy." };
    const { memories } = readPrompt(render([long, long, long, long, short], "q"));
    expect(memories.length).toBe(5);
    expect(memories.map(({ cut }) => cut ?? false)).toEqual([false, false, false, true, false]);
    expect(memories[3]?.content).toMatch(/story\.$/);
    expect(memories[4]?.content).toBe(short.content);
  });

  test("gives a pinned memory its place before all others", () => {
    const pinned = { namespace: "health", content: "Severe peanut allergy.", pinned: true as const };
    const { memories } = readPrompt(render([...Array(20).fill(long), pinned], "q", 4_000));
    expect(memories[0]).toEqual({ n: 1, ...pinned });
  });

  test("leaves out the last ones when there is no room for a useful part of each", () => {
    const prompt = render(Array(60).fill(long), "q", 12_000);
    expect(prompt.memories.length).toBeGreaterThan(10);
    expect(prompt.memories.map(({ memory }) => memory.memoryId)).toEqual(prompt.memories.map((_, i) => `mem_${i}`));
    expect(prompt.memories.length).toBeLessThan(60);
  });

  test("counts invisible characters as they are written in the prompt", () => {
    const prompt = render([{ namespace: "n", content: "\u200b".repeat(8_000) }], "q", 12_000);
    const { content = "" } = readPrompt(prompt).memories[0] ?? {};
    expect(lengthOf(prompt)).toBeLessThanOrEqual(12_000);
    expect(content.length).toBeGreaterThan(1_500);
    expect(content.length).toBeLessThan(2_000);
  });

  test("refuses a question that does not fit, and names the setting", () => {
    const refused = expect.objectContaining({
      code: "invalid-request",
      message: expect.stringContaining("PROMPT_CHARACTERS"),
    });
    expect(() => render([], "\u200b".repeat(4_000), 24_000)).toThrow(refused);
  });
});

describe("a prompt template", () => {
  // A text that changes needs a template with a new number: receipts name the old one.
  const DIGESTS = {
    "assistant/1": "1674fcd0f48f3022ba862f3ad2b488e8713c04115c885fc20aea9a711292c5e2",
    "assistant-urgent/1": "136ed16b7c7d42d2cb6e89ef8fb2bedc9e4d4b769b30984faec539555212b376",
    "companion/1": "cb59f7b82e3c0a6c10cb995da24c96e5c0f99674e3d8e2717d56e9748ef52e39",
    "companion-urgent/1": "367f3fdf42bc0203af164cc1edd128126a8ef2fc8021d4e891862b7a6e755e43",
  } as const;

  test.for(Object.entries(DIGESTS))("%s never changes", ([template, digest]) => {
    expect(isPromptTemplate(template) && digestOfText(systemText(template))).toBe(digest);
  });

  test("that is not listed has no text", () => {
    for (const id of ["assistant/2", "toString", ""]) expect(isPromptTemplate(id)).toBe(false);
  });
});
