// The built-in model: answers by quoting the given memories that share words with the question. Deterministic, no
// network. It never invents: every word about the person is a quotation.

import { type Prompt, readPrompt } from "#core/prompt/prompt.ts";
import { queryTerms } from "#core/recall/bm25.ts";
import { termsOf } from "#core/recall/tokenizer.ts";
import type { LanguageModel } from "#ports.ts";

const NAME = "portcullis-extractive-1";
const QUOTED_AT_MOST = 3;

// Words that questions are made of and that say nothing about what is asked for.
const COMMON = new Set(
  termsOf(
    `a about after all also am an and any are as at be because been before but by can could did do does for from had has
    have he her hers him his how i if in into is it its just know may me might mine more most must my need no not of on
    or our please shall she should so some tell than that the their them then there these they this those to too us
    want was we were what when where which who whom whose why will with would yes you your`,
  ),
);

export function extractiveModel(): LanguageModel {
  return {
    name: NAME,
    async complete(prompt, { signal, onText, atTheGate } = {}) {
      signal?.throwIfAborted();
      // Nothing leaves the process here, but the rule is one for all models.
      await atTheGate?.(() => undefined);
      const text = answerTo(prompt);
      onText?.(text);
      return { text, model: NAME };
    },
  };
}

function answerTo(prompt: Prompt): string {
  const { memories, query } = readPrompt(prompt);
  const found = mostShared(query, memories);
  if (found.length === 0) return "Nothing that I may use says anything about that.";
  return `Here is what I may use: ${found.map(quoted).join(" ")}`;
}

interface Quotable {
  readonly namespace: string;
  readonly content: string;
}

/** The memories that share the most different words with the query; the prompt's order, best first, decides ties. */
function mostShared(query: string, memories: readonly Quotable[]): Quotable[] {
  const asked = queryTerms(query).filter((term) => !COMMON.has(term));
  return memories
    .map((memory) => ({ memory, shared: sharedTerms(asked, memory.content) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, QUOTED_AT_MOST)
    .map(({ memory }) => memory);
}

function sharedTerms(asked: readonly string[], content: string): number {
  const terms = new Set(termsOf(content));
  return asked.filter((term) => terms.has(term)).length;
}

function quoted({ namespace, content }: Quotable): string {
  const text = content.trim().replace(/\s+/gu, " ");
  return `${/[.!?…]$/u.test(text) ? text : `${text}.`} (${namespace})`;
}
