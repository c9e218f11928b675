// The question of an answer in a list, where the service keeps questions.
import { client } from "#web/api/client.ts";
import { permissionsOf } from "#web/session/permissions.ts";
import { callerSignal, currentSession } from "#web/session/session.ts";

interface Asked {
  readonly question?: string | undefined;
}

export const KeptQuestion = ({ question, className = "" }: Asked & { readonly className?: string }) =>
  question !== undefined && (
    <p dir="auto" className={`untrusted line-clamp-2 font-serif ${className}`}>
      {question}
    </p>
  );

/** The entries, up to 100, with the questions of their answers. A list without them is better than none. */
export async function withQuestions<T extends { readonly answerId?: string | undefined }>(
  entries: readonly T[],
): Promise<(T & Asked)[]> {
  const answerIds = [...new Set(entries.flatMap(({ answerId }) => answerId ?? []))].join();
  const questions = new Map<string, string | undefined>();
  // Whoever may ask may read what was asked.
  if (answerIds === "" || !permissionsOf(currentSession()).may("chat")) return [...entries];
  try {
    for await (const { receipt, question } of client.listReceipts.all({ answerIds }, { signal: callerSignal() }))
      questions.set(receipt.answerId, question);
  } catch {}
  return entries.map((entry) => ({ ...entry, question: questions.get(entry.answerId ?? "") }));
}
