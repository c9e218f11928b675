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
 * Paces a burst: so many go on in each turn of the event loop, and `amongSeveral` while several tenants are served.
 * Tenants take turns, and each keeps its order.
 */
export function createPacedTurns(
  perTurn: number,
  { amongSeveral = perTurn, areSeveral = tenantsServed.areSeveral } = {},
): (tenant?: string) => Promise<void> {
  /** The tenant whose turn is next comes first. */
  const lines = new Map<string, (() => void)[]>();

  function serve(): void {
    const most = areSeveral() ? amongSeveral : perTurn;
    for (let i = 0; i < most; i++) {
      const [tenant, line] = lines.entries().next().value ?? ["", []];
      lines.delete(tenant);
      line.shift()?.();
      if (line.length > 0) lines.set(tenant, line);
    }
    if (lines.size > 0) setImmediate(serve);
  }

  return (tenant = "") =>
    new Promise((resolve) => {
      if (lines.size === 0) setImmediate(serve);
      const line = lines.get(tenant) ?? [];
      line.push(resolve);
      lines.set(tenant, line);
    });
}
