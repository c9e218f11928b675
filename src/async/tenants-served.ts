// Whether several tenants are served. All requests of a process are heard between two turns of its event loop, so then
// nobody's work may fill one. A tenant that is alone has longer turns, whose writes share a commit.
import { performance } from "node:perf_hooks";

/** A tenant that has sent nothing for longer may wait for one long turn when it comes back. */
const LATELY_MS = 60_000;

export function createTenantsServed(now = () => performance.now()) {
  let last: number | undefined;
  let lastAt = 0;
  let severalUntil = Number.NEGATIVE_INFINITY;
  return {
    /** A request of this tenant is served now. */
    note(tenant: number): void {
      const at = now();
      if (tenant !== last && last !== undefined) severalUntil = Math.max(severalUntil, lastAt + LATELY_MS);
      last = tenant;
      lastAt = at;
    },
    areSeveral: (): boolean => now() < severalUntil,
  };
}

/** Of the process, as its event loop is. */
export const tenantsServed = createTenantsServed();
