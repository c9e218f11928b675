// The question of an answer in a list, where the service keeps questions.
import type { Query, Reply } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { permissionsOf } from "#web/session/permissions.ts";
import { callerSignal, currentSession } from "#web/session/session.ts";

type ReceiptEntry = Reply<"getReceipt">;

export interface Asked {
  readonly question?: string | undefined;
}

export const KeptQuestion = ({ question, className = "" }: Asked & { readonly className?: string }) =>
  question !== undefined && (
    <p dir="auto" className={`untrusted line-clamp-2 font-serif ${className}`}>
      {question}
    </p>
  );

/** Receipts for `withQuestions`. A list asks for the newest beside itself, so that it does not wait for them later. */
export async function receiptsFor(query: Query<"listReceipts">): Promise<readonly ReceiptEntry[]> {
  // Whoever may ask may read what was asked.
  const mayRead = permissionsOf(currentSession()).may("chat");
  const reply = mayRead ? client.listReceipts(query, { signal: callerSignal() }) : undefined;
  return (await reply?.catch(() => undefined))?.receipts ?? [];
}

/** The entries, up to 100, with the questions of their answers. A list without them is better than none. */
export async function withQuestions<T extends { readonly answerId?: string | undefined }>(
  entries: readonly T[],
  known: readonly ReceiptEntry[] = [],
): Promise<(T & Asked)[]> {
  const questions = new Map(known.map(({ receipt, question }) => [receipt.answerId, question]));
  const missing = new Set(entries.flatMap(({ answerId = "" }) => (questions.has(answerId) ? [] : answerId || [])));
  if (missing.size > 0) {
    const found = await receiptsFor({ answerIds: [...missing].join(), limit: missing.size });
    for (const { receipt, question } of found) questions.set(receipt.answerId, question);
  }
  return entries.map((entry) => ({ ...entry, question: questions.get(entry.answerId ?? "") }));
}
