// Learns from what a user said, beside what a framework does with it, and never makes that fail.
import type { Client } from "#contract/client/client.ts";
import { ConnectionError } from "#contract/client/read-reply.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { beginningOf } from "#core/recall/conversation.ts";
import { type Speaker, within } from "./connection.ts";

/** Where facts go. Left out, wherever the key may write. */
export interface Remembering {
  readonly namespaces?: string[] | undefined;
  /** For facts that fit none. */
  readonly defaultNamespace?: string | undefined;
  readonly userName?: string | undefined;
  /** `store` when it is left out. */
  readonly mode?: "propose" | "review" | "store" | undefined;
}

/** What was learned; `failed` is a code. */
export type Learned = (Pick<Reply<"learn">, "proposals"> & { readonly receipt: string }) | { readonly failed: string };

type LearnOptions = Speaker & Remembering & { readonly timeoutMs?: number | undefined };

const LEARN_MS = 60_000;

/** Undefined if nothing was said. */
export async function learnFrom(
  client: Partial<Pick<Client, "learn">>,
  said: string,
  { timeoutMs = LEARN_MS, mode = "store", agentId, namespaces, defaultNamespace, userName }: LearnOptions,
  signal?: AbortSignal,
): Promise<Learned | undefined> {
  const content = beginningOf(said, LIMITS.content);
  if (content === "") return undefined;
  try {
    if (client.learn === undefined) throw new TypeError("The client cannot learn.");
    const body = { agentId, mode, namespaces, defaultNamespace, userName };
    const messages = [{ role: "user" as const, content }];
    const { proposals, receipt } = await client.learn({ ...body, messages }, within(signal, timeoutMs));
    return { proposals, receipt: receipt.answerId };
  } catch (error) {
    return { failed: error instanceof ProblemError || error instanceof ConnectionError ? error.code : "unknown" };
  }
}
