// The built-in model. It answers by quoting the memories that share words with the question. It is deterministic, uses
// no network and never invents: every word about the person is a quotation.

import { type Prompt, type PromptData, readPrompt } from "#core/prompt/prompt.ts";
import { termsOf } from "#core/recall/text/tokenizer.ts";
import type { LanguageModel } from "#ports.ts";

const NAME = "portcullis-extractive-1";
const MAX_QUOTES = 3;

// Words that occur in any question and say nothing about its subject.
const STOP_WORDS = new Set(
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
    async complete(prompt, { fence, signal, onText }) {
      signal?.throwIfAborted();
      // Nothing leaves the process here. But every model passes the fence, so that the rule has no exception.
      await fence(() => undefined);
      const text = answerTo(prompt);
      onText?.(text);
      return { text, model: NAME };
    },
  };
}

function answerTo(prompt: Prompt): string {
  const { memories, query } = readPrompt(prompt);
  const matches = bestMatches(query, memories);
  if (matches.length === 0) return "Nothing that I may use says anything about that.";
  return `Here is what I may use: ${matches.map(quotation).join(" ")}`;
}

type Quotable = PromptData["memories"][number];

/** The memories that share the most distinct words with the query. Ties keep the prompt's order, which is best first. */
function bestMatches(query: string, memories: readonly Quotable[]): Quotable[] {
  const keywords = [...new Set(termsOf(query))].filter((term) => !STOP_WORDS.has(term));
  return memories
    .map((memory) => ({ memory, shared: countShared(keywords, memory.content) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_QUOTES)
    .map(({ memory }) => memory);
}

function countShared(keywords: readonly string[], content: string): number {
  const terms = new Set(termsOf(content));
  return keywords.filter((term) => terms.has(term)).length;
}

function quotation({ namespace, content }: Quotable): string {
  const text = content.trim().replace(/\s+/gu, " ");
  return `${/[.!?…]$/u.test(text) ? text : `${text}.`} (${namespace})`;
}
