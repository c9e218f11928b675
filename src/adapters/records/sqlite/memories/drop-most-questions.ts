import { QUESTIONS_AT_ONCE } from "#adapters/records/shared/receipts/questions.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { Tables } from "#adapters/records/sqlite/tables/tables.ts";

/** Drops most questions of memories that are about to be forgotten, in steps, so that other work goes on between them. */
export async function dropMostQuestions(
  { writeFromReserve }: Pick<Connection, "writeFromReserve">,
  { questions }: Pick<Tables, "questions">,
  memoryIds: readonly string[],
): Promise<void> {
  while ((await writeFromReserve(() => questions.dropSomeOfMemories(memoryIds))) === QUESTIONS_AT_ONCE);
}
