// The recall before one call of a model.
import type { Client } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { within } from "#integrations/connection.ts";
import { type CallParams, questionIn, withMemories } from "./memory-prompt.ts";
import { RecallFailedError } from "./recall-failed-error.ts";

export interface RecallOptions {
  /** The agent that asks. An agent's own key is that agent, and needs no name. */
  readonly agentId?: string | undefined;
  /** How many memories a call is given at most. Left out: as many as the service gives. */
  readonly limit?: number | undefined;
  /** How much room the memories have in the prompt, in characters. */
  readonly characters?: number | undefined;
  /** How long a recall may take. */
  readonly timeoutMs?: number | undefined;
  /** What happens when no memories can be recalled. Unless the caller says otherwise, the model is not called. */
  readonly whenRecallFails?: "fail" | "call-without-memories" | undefined;
}

type Receipt = NonNullable<Reply<"recall">["receipt"]>;

/** What a result says of its recall. `failed` is the code of the service, or `unreachable`. */
export type RecallMetadata = { readonly receipt: Receipt } | { readonly receipt: null; readonly failed: string };

export interface GatedCall {
  readonly params: CallParams;
  /** Undefined if nothing was asked: what the user said last has no text. */
  readonly metadata?: RecallMetadata;
}

const CHARACTERS = 24_000;
const RECALL_MS = 10_000;

/** The call with the memories that its agent may use. */
export async function gatedCall(
  client: Pick<Client, "recall">,
  params: CallParams,
  options: RecallOptions,
): Promise<GatedCall> {
  const { agentId, limit, characters = CHARACTERS, timeoutMs = RECALL_MS, whenRecallFails = "fail" } = options;
  const { prompt, abortSignal } = params;
  const query = questionIn(prompt);
  if (query === undefined) return { params };
  try {
    const { memories, receipt } = await client.recall({ query, agentId, limit }, within(abortSignal, timeoutMs));
    if (receipt === undefined) throw new TypeError("The reply to a recall has no receipt.");
    return { params: { ...params, prompt: withMemories(prompt, memories, characters) }, metadata: { receipt } };
  } catch (error) {
    abortSignal?.throwIfAborted();
    const failure = new RecallFailedError(error);
    if (whenRecallFails === "fail") throw failure;
    return { params, metadata: { receipt: null, failed: failure.code } };
  }
}
