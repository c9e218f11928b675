// The built-in extractor: what a model is asked, done by rules. It names itself so that nobody takes it for a model.
import { chooseNamespace } from "./choose-namespace.ts";
import { extractFacts } from "./extract-facts.ts";
import type { Extraction, ModelFact } from "./extraction-request.ts";
import { relationOf } from "./known-facts.ts";

export const RULES_NAME = "portcullis-rules-1";

/** `memories` are those of the request, in its order. */
export function extractByRules(
  { messages, namespaces, ...options }: Extraction,
  memories: readonly { readonly namespace: string; readonly content: string }[],
): { readonly facts: readonly ModelFact[] } {
  const facts = extractFacts(messages, options).map(({ content, confidence, derivedFrom, date }): ModelFact => {
    const contradicted = memories.findIndex(
      (memory) => relationOf(content, memory.content, options.userName) === "contradicts",
    );
    return {
      content,
      namespace: chooseNamespace(content, namespaces, memories) ?? null,
      confidence,
      messages: derivedFrom.map((place) => place + 1),
      date: date ?? null,
      replaces: contradicted < 0 ? null : contradicted + 1,
    };
  });
  return { facts };
}
