import { tenantsServed } from "./tenants-served.ts";

/** Runs a generator to its end. Each yield is a turn of the event loop; a promise that it yields is awaited. */
export async function runInSlices<T>(work: Generator<unknown, T>): Promise<T> {
  let value: unknown;
  for (;;) {
    const step = work.next(value);
    if (step.done === true) return step.value;
    value = await (step.value ?? new Promise((resolve) => setImmediate(resolve)));
  }
}

/**
 * Paces a burst: so many go on in each turn of the event loop. Tenants take turns, and each keeps its order. While several
 * tenants are served, one goes on of what `isPatient`, and nothing in the turn after, which has what it wrote to commit.
 */
export function createPacedTurns(
  perTurn: number,
  { isPatient = false, areSeveral = tenantsServed.areSeveral } = {},
): (of?: unknown) => Promise<void> {
  /** The tenant whose turn is next comes first. */
  const lines = new Map<unknown, (() => void)[]>();
  let isServing = false;

  function serve(): void {
    const isShared = isPatient && areSeveral();
    for (let i = 0; i < (isShared ? 1 : perTurn); i++) {
      const [tenant, line] = lines.entries().next().value ?? ["", []];
      lines.delete(tenant);
      line.shift()?.();
      if (line.length > 0) lines.set(tenant, line);
    }
    if (isShared) setImmediate(serveNext);
    else serveNext();
  }

  function serveNext(): void {
    isServing = lines.size > 0;
    if (isServing) setImmediate(serve);
  }

  return (of = "") =>
    new Promise((resolve) => {
      const line = lines.get(of) ?? [];
      line.push(resolve);
      lines.set(of, line);
      if (!isServing) serveNext();
    });
}

/** What nobody waits for, or what comes in thousands: lines of an import, and what the indexes take in of them. */
export const turnInBulk = createPacedTurns(6, { isPatient: true });
