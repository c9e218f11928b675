// A database with answers of the past: the service itself gives them, by a clock that we move.
import { chat } from "#service/answers/chat.ts";
import { asked } from "#test/support/asked.ts";
import { startService } from "#test/support/start-service.ts";

const DAY_MS = 86_400_000;
/** The answers lie between these ages. */
const OLDEST_DAYS = 90;
const YOUNGEST_DAYS = 10;
const AT_ONCE = 50;
const QUESTION = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

export async function answerInThePast(path: string, answers: number): Promise<void> {
  const [from, to] = [OLDEST_DAYS, YOUNGEST_DAYS].map((days) => Date.now() - days * DAY_MS) as [number, number];
  let given = 0;
  const now = () => new Date(from + ((to - from) * given) / answers);
  const { tenant, stop } = await startService({ database: path, overrides: { now } });
  while (given < answers) {
    const some = Array.from({ length: Math.min(AT_ONCE, answers - given) }, () =>
      asked((caller) => chat(tenant, QUESTION, caller)),
    );
    await Promise.all(some);
    given += some.length;
  }
  await stop();
}
