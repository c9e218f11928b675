// Answers as values, for tests that need no HTTP.

import type { Answered, GateReport } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";

type Run<A = Answered> = (caller: Caller<A>) => Promise<void>;

export async function asked<A = Answered>(run: Run<A>, signal?: AbortSignal): Promise<A> {
  return answeredTo(run, signal === undefined ? {} : { signal });
}

/** As `asked`, and collects the pieces and what the gate decided. A restart removes the pieces that came before it. */
export async function heard(run: Run, pieces: string[] = [], gates: GateReport[] = []): Promise<Answered> {
  const listener = {
    ready: async () => undefined,
    gate: (report: GateReport) => void gates.push(report),
    write: (written: readonly string[]) => void pieces.push(...written),
    restart: () => void pieces.splice(0),
  };
  return answeredTo(run, { listener });
}

async function answeredTo<A>(run: Run<A>, caller: Omit<Caller, "release">): Promise<A> {
  let released: A | undefined;
  await run({
    ...caller,
    release(answered) {
      released = answered;
    },
  });
  if (released === undefined) throw new Error("the answer ended, and nothing was released");
  return released;
}
