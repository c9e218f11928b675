// Admission control: decides, before anything else is done for a request, whether it is served now, waits, or is refused.
//
// At most `limit` requests are in flight (concurrency-limit.ts); while several tenants are served, the first one of a tenant
// goes beyond it, up to twice as many. Others wait in a line. The next is of the tenant that has the fewest in flight, there
// of the caller who has the fewest, and among the same first come, first served. The line is long enough for a burst, and
// for as many clients as an ordinary service has. When it overflows, the service is overloaded: the line is cut short, so
// that who is served is served quickly, and the rest is refused at once, first the last ones of the tenant that has the most
// there, and of its caller who has. The overload is over when nothing was refused for a while, or when so few connections
// are left that the long line holds all that they can ask at a time.
//
// In one turn of the event loop so many begin as fit in the time of a turn, which is short while the service is overloaded,
// or serves several tenants. Otherwise a request on each of a hundred connections makes a turn of a hundred answers, in
// which nobody else is heard, not even a revoke.
//
// A refusal costs processor time, too, and whoever ignores Retry-After asks again as soon as it arrives: in a second only
// so many are sent, few in a turn, and the others wait a little. Otherwise they are what fills the event loop, and those
// who are served wait for them.
//
// A request that is in flight for long while the event loop is quick waits for something else: a model, a client who
// reads slowly. It no longer counts against the limit, nor for its caller.
import { callerCounts, tenantOf } from "#async/semaphore.ts";
import { tenantsServed } from "#async/tenants-served.ts";
import { type ConcurrencyLimit, createConcurrencyLimit, type LoopSample } from "./concurrency-limit.ts";

export interface AdmissionOptions {
  readonly limit?: ConcurrencyLimit;
  readonly now?: () => number;
  /** How many may wait while the service is not overloaded. */
  readonly longLine?: number;
  /** How long a request may have to wait while it is. */
  readonly shortWaitMs?: number;
  /** No request waits longer, overloaded or not. */
  readonly longestWaitMs?: number;
  /** The most requests in flight, those that wait for something else included. */
  readonly most?: number;
  readonly refusalsASecond?: number;
  /** Whether several tenants are served. */
  readonly isShared?: () => boolean;
  /** Calls in the next turn of the event loop. */
  readonly nextTurn?: (callback: () => void) => void;
  /** Calls in the same turn, once nothing more can run that does not wait for another one. */
  readonly whenAllWait?: (callback: () => void) => void;
}

export type Admission = ReturnType<typeof createAdmission>;

/** A request that asks to be served. Exactly one of the two is called, once, `refuse` after a pause if others were before. */
export interface Applicant {
  /** A caller in its tenant (`inTenant`), or an address. Those who are not known yet are together as one tenant is. */
  readonly caller?: string;
  admit(): void;
  refuse(): void;
}

interface Admitted {
  /** Gives its place among the most to others: its reply has a place of its own, among those that clients read. */
  leave(): void;
  /** Is called once, when the response is complete. */
  finish(): void;
}

const LONG_LINE = 128;
const SHORTEST_LINE = 2;
const SHORT_WAIT_MS = 5;
const LONGEST_WAIT_MS = 1_000;
const MOST = 4_096;
const REFUSALS_A_SECOND = 400;
/** When a turn took long, more are due. They follow in the next ones. */
const REFUSALS_A_TURN = 2;
const LONGEST_PAUSE_MS = 1_000;
/** A request that is in flight for longer, while the loop is quick, is not computing. */
const COMPUTING_MS = 250;
/** Nor is one that is in flight for longer than this, since few compute at a time while the loop is slow. */
const LONGEST_COMPUTING_MS = 2_000;
/** The service is overloaded until nothing was refused for this long. */
const CALM_MS = 1_000;
/** A tick that is asked for by a microtask comes after all microtasks. */
const afterMicrotasks = (callback: () => void) => queueMicrotask(() => process.nextTick(callback));
const IDLE: LoopSample = { delayMs: 0, utilization: 0 };

interface InFlight {
  readonly since: number;
  readonly caller: string | undefined;
}

interface Waiting {
  readonly applicant: Applicant;
  readonly since: number;
}

export function createAdmission(options: AdmissionOptions = {}) {
  const { limit = createConcurrencyLimit(), now = () => performance.now() } = options;
  const { longLine = LONG_LINE, shortWaitMs = SHORT_WAIT_MS, longestWaitMs = LONGEST_WAIT_MS, most = MOST } = options;
  const { refusalsASecond = REFUSALS_A_SECOND, nextTurn = setImmediate } = options;
  const { isShared = tenantsServed.areSeveral, whenAllWait = afterMicrotasks } = options;
  // Sets keep the order of arrival, and one can leave from the middle.
  const counted = new Set<InFlight>();
  const line = new Set<Waiting>();
  const [inFlightOf, waitingOf] = [callerCounts(), callerCounts()];
  let inFlight = 0;
  let connections = 0;
  let refusedAt: number | undefined;
  let refused = 0;
  /** Those that are to be sent, in the order of their times. */
  const refusals: { readonly applicant: Applicant; readonly due: number }[] = [];
  let nextRefusalAt = 0;
  let turnEndsAt: number | undefined;
  let wasReached = false;
  let finished = 0;
  let observedAt = now();
  /** Requests that finish in a millisecond. */
  let drainRate = 0;

  const isOverloaded = () => refusedAt !== undefined;
  const lineLength = () =>
    isOverloaded() ? Math.min(longLine, Math.max(SHORTEST_LINE, Math.floor(drainRate * shortWaitMs))) : longLine;
  /** Then it takes a place beyond the limit: those of another tenant are in flight for many short turns. */
  const isFirstOfTenant = (caller?: string) => isShared() && inFlightOf.inTenant(caller) === 0;
  const hasPlace = (caller?: string) =>
    counted.size < limit.value * (isFirstOfTenant(caller) ? 2 : 1) && inFlight < most;

  /** Whether another may begin in this turn. The first one always may. */
  function hasTime(): boolean {
    if (turnEndsAt === undefined) {
      turnEndsAt = now() + limit.turnMs(isOverloaded(), isShared());
      nextTurn(beginTurn);
      return true;
    }
    return now() < turnEndsAt;
  }

  function beginTurn(): void {
    turnEndsAt = undefined;
    admitWaiting();
  }

  function enter(applicant: Applicant): void {
    line.add({ applicant, since: now() });
    waitingOf.change(applicant.caller, 1);
  }

  function leaveLine(waiting: Waiting): void {
    if (line.delete(waiting)) waitingOf.change(waiting.applicant.caller, -1);
  }

  function uncount(entry: InFlight): void {
    if (counted.delete(entry)) inFlightOf.change(entry.caller, -1);
  }

  function begin(caller?: string): Admitted {
    inFlightOf.change(caller, 1);
    const entry: InFlight = { since: now(), caller };
    let hasPlace = true;
    counted.add(entry);
    inFlight += 1;
    function leave() {
      if (hasPlace) inFlight -= 1;
      hasPlace = false;
      admitWaiting();
    }
    return {
      leave,
      finish() {
        finished += 1;
        uncount(entry);
        leave();
      },
    };
  }

  /** One by one: what a request takes of the turn is seen when it has run. */
  function admitWaiting(): void {
    if (line.size === 0) return;
    const next = [...line].reduce((first, each) => (weightOf(each) < weightOf(first) ? each : first));
    if (!hasPlace(next.applicant.caller) || !hasTime()) return;
    leaveLine(next);
    next.applicant.admit();
    whenAllWait(admitWaiting);
  }

  const weightOf = ({ applicant }: Waiting): number => inFlightOf.weight(applicant.caller);

  const lastOf = (name: string): Waiting | undefined =>
    [...line].findLast(({ applicant: { caller = "" } }) => caller === name);

  /** Who gives a place in the full line to one of this caller, if anybody does. */
  function displacedBy(caller = ""): Waiting | undefined {
    const largest = waitingOf.most();
    if (waitingOf.inTenant(largest) > waitingOf.inTenant(caller) + 1) return lastOf(largest);
    const inOwn = waitingOf.most((other) => tenantOf(other) === tenantOf(caller));
    return waitingOf.of(inOwn) > waitingOf.of(caller) + 1 ? lastOf(inOwn) : undefined;
  }

  function refuse(applicant: Applicant): void {
    const begins = !isOverloaded();
    refusedAt = now();
    refused += 1;
    sendRefusal(applicant, refusedAt);
    if (begins) shortenLine();
  }

  function sendRefusal(applicant: Applicant, at: number): void {
    const due = Math.max(at, nextRefusalAt);
    nextRefusalAt = Math.min(at + LONGEST_PAUSE_MS, due + 1_000 / refusalsASecond);
    if (due === at && refusals.length === 0) return void applicant.refuse();
    refusals.push({ applicant, due });
    if (refusals.length === 1) setTimeout(sendDueRefusals, due - at).unref();
  }

  function sendDueRefusals(): void {
    const at = now();
    const due = refusals.slice(0, REFUSALS_A_TURN).filter((each) => each.due <= at);
    refusals.splice(0, due.length);
    for (const { applicant } of due) applicant.refuse();
    const [next] = refusals;
    if (next === undefined) return;
    if (next.due <= at) nextTurn(sendDueRefusals);
    else setTimeout(sendDueRefusals, next.due - at).unref();
  }

  /** They would wait longer than anybody may from now on. */
  function shortenLine(): void {
    while (line.size > lineLength()) {
      const last = lastOf(waitingOf.most());
      if (last === undefined) return;
      leaveLine(last);
      refuse(last.applicant);
    }
  }

  function endOverload(at: number): void {
    const isCalm = refusedAt !== undefined && at - refusedAt > CALM_MS;
    if (isCalm || connections <= longLine) refusedAt = undefined;
  }

  return {
    /** Lets the applicant in now or later, or refuses it. */
    apply(applicant: Applicant): void {
      const { caller } = applicant;
      if ((line.size === 0 || isFirstOfTenant(caller)) && hasPlace(caller) && hasTime()) return void applicant.admit();
      wasReached = true;
      if (line.size < lineLength()) return void enter(applicant);
      const displaced = displacedBy(caller);
      if (displaced === undefined) return void refuse(applicant);
      enter(applicant);
      leaveLine(displaced);
      refuse(displaced.applicant);
    },

    begin,

    /** A client connected. Call what it returns when it is gone. */
    connect(): () => void {
      connections += 1;
      return () => {
        connections -= 1;
      };
    },

    /** Forgets an applicant who went away while it waited. */
    leave(applicant: Applicant): void {
      for (const waiting of line) if (waiting.applicant === applicant) leaveLine(waiting);
    },

    /** Is told about the event loop, at regular times while there are requests. */
    observe(loop: LoopSample): void {
      const at = now();
      // A loop that is busy without requests is busy with something else.
      const isUsed = finished > 0 || inFlight > 0 || line.size > 0;
      limit.observe({ ...(isUsed ? loop : IDLE), wasReached, isOverloaded: isOverloaded() });
      wasReached = line.size > 0;
      drainRate = finished / Math.max(1, at - observedAt);
      finished = 0;
      observedAt = at;
      const computingMs = limit.isQuick(loop) ? COMPUTING_MS : LONGEST_COMPUTING_MS;
      for (const entry of counted) {
        if (at - entry.since < computingMs) break;
        uncount(entry);
      }
      for (const waiting of line) {
        if (at - waiting.since < longestWaitMs) break;
        leaveLine(waiting);
        refuse(waiting.applicant);
      }
      endOverload(at);
      admitWaiting();
    },

    /** How many were refused since the last call. */
    takeRefused(): number {
      const count = refused;
      refused = 0;
      return count;
    },

    isIdle: (): boolean => inFlight === 0 && line.size === 0 && !isOverloaded() && limit.isRested(),
    /** For metrics and tests. */
    state: () => ({
      inFlight,
      counted: counted.size,
      waiting: line.size,
      limit: limit.value,
      isOverloaded: isOverloaded(),
    }),
  };
}
