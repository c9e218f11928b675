// One attempt at an answer, from recall to release. Only its `recall` leads to the model and to the caller: what it
// returns carries the fence for the memories that it found. When the policy takes away one of their namespaces, or one of
// them is forgotten or superseded, the attempt is stale: it is aborted, and the model's work with it.
import { forwardAbort, NEVER_ABORTS, untilAborted } from "#async/with-deadline.ts";
import { orUndefined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";
import type { RecallBounds } from "#core/gate/gate.ts";
import type { CompletionChunk } from "#core/prompt/completion-message.ts";
import { type CompletionRequest, type ForwardedTemplate, renderRequest } from "#core/prompt/gateway-request.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import type { PromptTemplate } from "#core/prompt/template.ts";
import { type BreakReason, blockedFields } from "#core/receipt/receipt.ts";
import type { LanguageModel, RecordStore } from "#ports.ts";
import * as answers from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import { readSetOf } from "#service/policy/policy-mirror.ts";
import type { GateView, RecallGate } from "#service/recall/search.ts";
import { createFence, type Fenced, withoutMemories } from "./fence.ts";
import type { InFlightAttempts } from "./in-flight-attempts.ts";
import { createReleaseQueue, type ReleaseQueue } from "./release-queue.ts";

/** What the gate gave for one question, and the only way from there to the model and to the caller. */
export interface Recalled<A = answers.Answered> extends GateView {
  /** Has the model answer from these memories, in pieces if somebody listens. */
  ask(question: Question): Promise<answers.ModelAnswer>;
  /** Passes the caller's own request on, with these memories in it. Whoever listens gets the chunks that `onChunk` gives. */
  forward(request: ForwardedQuestion): Promise<Omit<answers.ModelAnswer, "text" | "model" | "cited">>;
  release(issued: answers.Issued<A>): Promise<void>;
}

interface Question {
  readonly template: PromptTemplate;
  now(): Date;
  /** What the answer begins with that is not the model's. */
  readonly preface?: string;
  /** Puts the receipt of a prompt on record, before the prompt or anything of the answer leaves. */
  begin(asked: answers.AskedPrompt): Promise<answers.BegunOnRecord>;
  readonly atReadersPace?: boolean | undefined;
  /** Present when whoever listens may know how many memories closed namespaces have. */
  readonly sizesOf?: answers.SizesOf | undefined;
}

interface ForwardedQuestion extends Pick<Question, "begin"> {
  readonly request: CompletionRequest;
  readonly template: ForwardedTemplate;
  /** Takes a chunk, and gives what of it may go to the caller now. */
  onChunk(chunk: CompletionChunk): string | undefined;
}

export interface Attempt<A = answers.Answered> {
  /** Asks the gate. From here on the attempt is aborted when the policy takes away something of the result. */
  recall(agentId: string, query: string, bounds?: RecallBounds): Promise<Recalled<A>>;
  /** Releases an answer in the service's own words. */
  releaseWithoutMemories(
    issued: answers.Issued<A & answers.AnsweredWithoutMemories>,
    sizesOf?: answers.SizesOf,
  ): Promise<void>;
}

interface AttemptParts {
  readonly gate: RecallGate;
  readonly model: LanguageModel;
  readonly policy: Pick<RecordStore["policy"], "passFence">;
  readonly inFlight: InFlightAttempts;
  readonly queued: { pieces: number };
  readonly promptCharacters: number;
}

/** `isAgain`: an attempt before this one went stale, or was lost. */
export function beginAttempt<A>(parts: AttemptParts, caller: Caller<A>, isAgain: boolean) {
  const { gate, model, policy, inFlight, queued, promptCharacters } = parts;
  const controller = new AbortController();
  const { signal } = controller;
  const unlink = forwardAbort(caller.signal, controller);
  const { listener } = caller;
  let isStale = false;
  let isLost = false;
  let queue: ReleaseQueue | undefined;
  let leave: () => void = () => undefined;
  /** The receipt of what may have left, until it has reached its end. */
  let underWay: answers.OnRecord | undefined;

  function onStale(): void {
    isStale ||= !signal.aborted;
    controller.abort(policyChanged());
  }

  /** Behind the fence. The caller may go away while the bytes leave, and the fence may be lost. */
  async function give(answered: Fenced<A>, lost: AbortSignal): Promise<void> {
    // A model may have tried again after the fence was lost. From here on the caller may have the answer.
    isLost = false;
    await caller.release(answered, lost);
    caller.signal?.throwIfAborted();
    lost.throwIfAborted();
    underWay = undefined;
  }

  /** Puts the receipt of a prompt on record, in place of one that was too long. */
  async function beginPrompt(
    agentId: string,
    begin: () => Promise<answers.BegunOnRecord>,
  ): Promise<answers.BegunOnRecord> {
    underWay?.breakOff("prompt-too-long");
    underWay = undefined;
    model.requireRoom?.(agentId);
    underWay = await begin();
    return underWay as answers.BegunOnRecord;
  }

  const attempt: Attempt<A> = {
    async recall(agentId, query, bounds) {
      const view = await gate.recall(agentId, query, bounds);
      // Nothing is recorded for a caller who is gone.
      signal.throwIfAborted();
      const readSet = {
        agentId,
        ...readSetOf(view, view.memories),
        ...(view.allowsSuperseded && { allowsSuperseded: true }),
      };
      const onLost = () => {
        isLost = true;
      };
      const fence = createFence({ readSet, policy, signal, onStale, onLost });
      leave = inFlight.add({ readSet, onStale });
      const onError = (error: unknown) => controller.abort(error);
      queue = listener && createReleaseQueue({ listener, fence, signal, queued, onError });
      return {
        ...view,
        recalledEncrypted: view.memories.some(({ encrypted }) => encrypted),
        isAgain,
        ask({ template, now, preface, begin, sizesOf, atReadersPace }) {
          const onText = queue && { onText: queue.add };
          return askWithin(promptCharacters, {
            render(characters) {
              const askedAt = now();
              const asked = { template, memories: view.memories, query, askedAt: askedAt.toISOString(), characters };
              return { ...renderPrompt(asked), askedAt };
            },
            lengthOf: ({ system, user }) => system.length + user.length,
            async complete({ system, user, memories, askedAt }) {
              const prompt = { system, user };
              const isFirst = underWay === undefined;
              const asked = { template, prompt, memories, askedAt };
              const begun = await beginPrompt(agentId, () => begin({ ...asked, model: model.name }));
              await queue?.addGate(
                answers.gateReport(
                  {
                    answerId: begun.answerId,
                    createdAt: begun.createdAt,
                    policyVersion: view.policyVersion,
                    template,
                    memories: memories.map(answers.promptMemory),
                    ...blockedFields(view.blockedNamespaces),
                  },
                  sizesOf,
                ),
              );
              if (isFirst && preface) queue?.add(preface);
              const completion = await model.complete(prompt, {
                signal,
                fence: fence.send,
                caller: agentId,
                atReadersPace,
                ...onText,
              });
              return { ...completion, ...asked, begun };
            },
          });
        },
        forward({ request, template, begin, onChunk }) {
          const { completions } = model;
          // What was forwarded before had no use.
          underWay?.breakOff("model-failed");
          underWay = undefined;
          const forwarded = { ...request, model: completions?.models.get(request.model) ?? request.model };
          return askWithin(promptCharacters, {
            render: (characters) => renderRequest(forwarded, view.memories, characters),
            lengthOf: ({ characters }) => characters,
            async complete({ request: body, memories }) {
              const asked = { template, prompt: { request: body }, memories } as const;
              const begun = await beginPrompt(agentId, () => begin({ ...asked, model: request.model }));
              await completions?.forward(request.model, body, {
                template,
                signal,
                fence: fence.send,
                caller: agentId,
                onChunk(chunk) {
                  const piece = onChunk(chunk);
                  if (piece !== undefined) queue?.add(piece);
                },
              });
              return { ...asked, begun };
            },
          });
        },
        async release({ answered, onRecord }) {
          underWay = onRecord;
          await queue?.drained();
          await fence.release(answered, give);
        },
      };
    },

    async releaseWithoutMemories({ answered: answer, onRecord }, sizesOf) {
      underWay = onRecord;
      const { report, pieces, answered } = withoutMemories(answer, reportWithoutMemories(answer, sizesOf));
      if (listener !== undefined) {
        await untilAborted(signal, listener.ready());
        await listener.gate(report, NEVER_ABORTS);
        await untilAborted(signal, listener.ready());
        await listener.write(pieces, NEVER_ABORTS);
        await untilAborted(signal, listener.ready());
      }
      signal.throwIfAborted();
      await give(answered, NEVER_ABORTS);
    },
  };

  return {
    attempt,
    /** Whether a change of the policy, or a removal of memories, ended it. */
    isStale: (): boolean => isStale,
    /** Whether the fence was lost, as under a moment of too much work, before what it let through was given to the caller. */
    isLost: (): boolean => isLost,
    /** Whether the caller was given pieces of it. */
    hasReleased: (): boolean => queue?.hasReleased() ?? false,
    /** Resolves when nothing of it will be released any more. `error` is what ended it, if anything did. */
    async end(error?: unknown): Promise<void> {
      unlink();
      leave();
      await queue?.idle();
      underWay?.breakOff(breakReasonOf(error, { isStale, isCallerGone: caller.signal?.aborted === true }));
    },
  };
}

function reportWithoutMemories({ receipt }: answers.AnsweredWithoutMemories, sizesOf: answers.SizesOf | undefined) {
  const { answerId, createdAt, blockedNamespaces, blockedCount, blockedDigest, evidence } = receipt;
  const blocked = { blockedNamespaces, ...(blockedCount !== undefined && { blockedCount, blockedDigest }) };
  const { policyVersion } = evidence;
  const decided = { answerId, createdAt, policyVersion, template: null, memories: [] as const, ...blocked };
  return answers.gateReport(decided, sizesOf);
}

interface Asking<P, A> {
  render(characters: number): P;
  /** As far as a shorter prompt can be shorter. */
  lengthOf(prompt: P): number;
  /** Rejects with `prompt-too-long` before the first piece of an answer. */
  complete(prompt: P): Promise<A>;
}

/** Asks once more with half of the prompt when it is too long for the model, unless no memory would be left in it. */
async function askWithin<P extends { readonly memories: readonly unknown[] }, A>(
  characters: number,
  { render, lengthOf, complete }: Asking<P, A>,
): Promise<A> {
  const prompt = render(characters);
  try {
    return await complete(prompt);
  } catch (error) {
    if (!(error instanceof PortcullisError && error.code === "prompt-too-long")) throw error;
    const half = orUndefined(() => render(Math.floor(lengthOf(prompt) / 2)));
    if (half === undefined || half.memories.length === 0) throw error;
    return await complete(half);
  }
}

export function policyChanged(): PortcullisError {
  return new PortcullisError(
    "policy-changed",
    "The policy, or the memories, kept changing while the answer was made. Ask again.",
  );
}

interface Circumstances {
  readonly isStale: boolean;
  readonly isCallerGone: boolean;
}

/** Why an attempt ended that had begun to send. */
function breakReasonOf(error: unknown, { isStale, isCallerGone }: Circumstances): BreakReason {
  if (isCallerGone) return "caller-gone";
  if (isStale) return "policy-changed";
  const code = error instanceof PortcullisError ? error.code : undefined;
  switch (code) {
    case "prompt-too-long":
      return code;
    case "model-failed":
    case "model-unavailable":
    case "model-timeout":
      return "model-failed";
    case "records-unavailable":
    case "storage-full":
    case "storage-lost":
      return "records-failed";
    default:
      return "failed";
  }
}
