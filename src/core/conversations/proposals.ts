// What becomes of the facts that a model, or the rules, found in a conversation: a proposal, or nothing. Nothing that the
// extractor says is believed: each fact is checked here, whoever found it.
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";
import type { SaidMessage } from "./extract-facts.ts";
import type { ModelFact } from "./extraction-request.ts";
import { relationOf } from "./known-facts.ts";
import { hasSecret, LEFT_OUT } from "./secrets.ts";

export interface Proposal {
  readonly content: string;
  readonly namespace: string;
  readonly confidence: number;
  /** The places of the messages that say it, from 0. */
  readonly derivedFrom: readonly number[];
  readonly occurredAt?: string;
  /** The memory that it contradicts, and whose place it would take. */
  readonly supersedes?: Pick<Memory, "memoryId" | "content">;
}

export interface Proposals {
  readonly proposals: readonly Proposal[];
  /** Memories that say already what was said. */
  readonly known: readonly (Pick<Memory, "memoryId"> & Pick<Proposal, "derivedFrom">)[];
  /** How many facts were left out: they fit no namespace, say no message, or may hold a secret. */
  readonly leftOut: number;
}

interface Circumstances<M> {
  readonly messages: readonly SaidMessage[];
  readonly roles: readonly SaidMessage["role"][];
  /** Where facts may go. If it is one, all go there. */
  readonly namespaces: readonly string[];
  /** For what fits none. */
  readonly defaultNamespace?: string | undefined;
  readonly userName?: string | undefined;
  /** Those that the extractor was shown, in its order. */
  readonly memories: readonly M[];
  maySupersede(memory: M): boolean;
}

export function proposalsFrom<M extends Pick<Memory, "memoryId" | "content" | "namespace">>(
  facts: readonly ModelFact[],
  { messages, roles, namespaces, defaultNamespace, userName, memories, maySupersede }: Circumstances<M>,
): Proposals {
  const proposals: Proposal[] = [];
  const known: { memoryId: string; derivedFrom: readonly number[] }[] = [];
  let leftOut = 0;
  const only = namespaces.length === 1 ? namespaces[0] : undefined;
  const isSame = (content: string) => (other: Pick<Memory, "content">) =>
    relationOf(content, other.content, userName) === "same";
  for (const fact of facts) {
    const content = fact.content.normalize("NFC").trim();
    const places = [...new Set(fact.messages.map((n) => n - 1))].sort((a, b) => a - b);
    const derivedFrom = places.filter((place) => roles.includes(messages[place]?.role ?? ("" as never)));
    const replaced = fact.replaces === null ? undefined : memories[fact.replaces - 1];
    const isCorrection = replaced !== undefined && namespaces.includes(replaced.namespace) && maySupersede(replaced);
    const named = namespaces.find((name) => name === fact.namespace) ?? only ?? defaultNamespace;
    const namespace = isCorrection ? replaced.namespace : named;
    const isSound = derivedFrom.length > 0 && textFault(content, LIMITS.content) === undefined;
    const mayBeSecret = hasSecret(content) || content.includes(LEFT_OUT);
    const memory = memories.find(isSame(content));
    if (!isSound || mayBeSecret || namespace === undefined) leftOut += 1;
    else if (memory !== undefined) known.push({ memoryId: memory.memoryId, derivedFrom });
    else if (!proposals.some(isSame(content)))
      proposals.push({
        content,
        namespace,
        confidence: Math.round(fact.confidence * 100) / 100,
        derivedFrom,
        ...(fact.date !== null && { occurredAt: fact.date }),
        ...(isCorrection && { supersedes: { memoryId: replaced.memoryId, content: replaced.content } }),
      });
  }
  return { proposals, known, leftOut };
}
