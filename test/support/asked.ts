// An answer as a value, for who needs no HTTP.
import type { Answered, Caller } from "#service/answers/attempt.ts";

type Run = (caller: Caller) => Promise<void>;

export async function asked(run: Run, signal?: AbortSignal): Promise<Answered> {
  return answeredTo(run, signal === undefined ? {} : { signal });
}

/** As `asked`, for who wants the pieces. What was said before a restart is not among them. */
export async function heard(run: Run, pieces: string[] = []): Promise<Answered> {
  const listener = {
    ready: async () => undefined,
    tell: (told: readonly string[]) => void pieces.push(...told),
    restart: () => void pieces.splice(0),
  };
  return answeredTo(run, { listener });
}

async function answeredTo(run: Run, caller: Omit<Caller, "release">): Promise<Answered> {
  let released: Answered | undefined;
  await run({
    ...caller,
    release(answered) {
      released = answered;
    },
  });
  if (released === undefined) throw new Error("it ended, and nothing was released");
  return released;
}
