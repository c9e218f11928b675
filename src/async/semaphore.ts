// Counting semaphore: at most `permits` jobs run at a time, and the others wait in a line that may be bounded. The next
// permit goes to the tenant, and there to the caller, with the fewest jobs running. A job that finds the line full
// takes the place of the last one of the tenant, or of the caller in its own, that has the most, if they have more.
export type Semaphore = ReturnType<typeof createSemaphore>;

interface Line {
  readonly most: number;
  /** The error of a job that finds the line full, or loses its place in it. */
  readonly onFull: () => unknown;
}

interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  /** Who has the job (`inTenant`). Jobs without a caller are those of one. */
  readonly caller?: string | undefined;
}

/** A caller in its tenant. Callers without one are in the same. */
export const inTenant = (tenant: number, caller = ""): string => `${tenant} ${caller}`;
export const tenantOf = (caller: string): string => caller.slice(0, caller.indexOf(" ") + 1);

/** More than any caller has. */
const MANY = 2 ** 20;

/** How many each caller has, and each tenant. Whoever has none takes no room. */
export function callerCounts() {
  const [callers, tenants] = [new Map<string, number>(), new Map<string, number>()];
  const of = (caller = ""): number => callers.get(caller) ?? 0;
  const inTenant = (caller = ""): number => tenants.get(tenantOf(caller)) ?? 0;
  /** Orders by the tenant, then by the caller. */
  const weight = (caller = ""): number => MANY * inTenant(caller) + of(caller);
  return {
    of,
    inTenant,
    weight,
    change(caller = "", by: 1 | -1): void {
      change(callers, caller, by);
      change(tenants, tenantOf(caller), by);
    },
    most(isAsked: (caller: string) => boolean = () => true): string {
      let [found, heaviest] = ["", 0];
      for (const caller of callers.keys())
        if (isAsked(caller) && weight(caller) > heaviest) [found, heaviest] = [caller, weight(caller)];
      return found;
    },
  };
}

function change(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}

interface Waiting {
  enter(): void;
  refuse(reason: unknown): void;
}

const NOBODY = "";

export function createSemaphore(permits: number, lineLimit?: Line) {
  let free = permits;
  let waiting = 0;
  /** `jobs` has those that wait as well. */
  const [running, jobs] = [callerCounts(), callerCounts()];
  /** The tenant that was given a permit last comes last, and there the caller who was. Sets keep the order of arrival. */
  const lines = new Map<string, Set<Waiting>>();

  function changeRunning(caller: string, by: 1 | -1): void {
    running.change(caller, by);
    jobs.change(caller, by);
  }

  function join(caller: string, job: Waiting): void {
    const line = lines.get(caller) ?? new Set();
    lines.set(caller, line.add(job));
    jobs.change(caller, 1);
    waiting += 1;
  }

  function leave(caller: string, job: Waiting): void {
    const line = lines.get(caller);
    if (line?.delete(job) !== true) return;
    jobs.change(caller, -1);
    waiting -= 1;
    if (line.size === 0) lines.delete(caller);
  }

  /** The waiting caller with the least by this count, the first of them. */
  function least(countOf: (caller: string) => number): string | undefined {
    let [found, count] = [undefined as string | undefined, Number.POSITIVE_INFINITY];
    for (const caller of lines.keys()) if (countOf(caller) < count) [found, count] = [caller, countOf(caller)];
    return found;
  }

  /** Whose last job gives its place to a job of `caller`, if the line is full; undefined when nobody's does. */
  function displacedBy(caller: string): string | undefined {
    const own = tenantOf(caller);
    const largest = least((other) => -jobs.weight(other)) ?? caller;
    if (tenantOf(largest) !== own && jobs.inTenant(largest) > jobs.inTenant(caller) + 1) return largest;
    const inOwn = least((other) => (tenantOf(other) === own ? -jobs.of(other) : 0)) ?? caller;
    return tenantOf(inOwn) === own && jobs.of(inOwn) > jobs.of(caller) + 1 ? inOwn : undefined;
  }

  const isFull = () => free === 0 && lineLimit !== undefined && waiting >= lineLimit.most;

  function requireRoom(caller: string): void {
    if (isFull() && displacedBy(caller) === undefined) throw lineLimit?.onFull();
  }

  function makeRoom(caller: string): void {
    requireRoom(caller);
    const displaced = isFull() ? displacedBy(caller) : undefined;
    if (displaced !== undefined) [...(lines.get(displaced) ?? [])].at(-1)?.refuse(lineLimit?.onFull());
  }

  async function acquire(caller: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      changeRunning(caller, 1);
      return;
    }
    makeRoom(caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const job: Waiting = {
      enter() {
        signal?.removeEventListener("abort", abort);
        leave(caller, job);
        changeRunning(caller, 1);
        resolve();
      },
      refuse(reason) {
        signal?.removeEventListener("abort", abort);
        leave(caller, job);
        reject(reason);
      },
    };
    const abort = () => job.refuse(signal?.reason);
    join(caller, job);
    signal?.addEventListener("abort", abort, { once: true });
    await promise;
  }

  /** Hands the permit to the next in line instead of freeing it, so that nobody who comes now overtakes. */
  function release(caller: string): void {
    changeRunning(caller, -1);
    const next = least(running.weight);
    const line = next === undefined ? undefined : lines.get(next);
    if (next === undefined || line === undefined) {
      free += 1;
      return;
    }
    const ofSame = [...lines].filter(([other]) => other !== next && tenantOf(other) === tenantOf(next));
    for (const [other, waiting] of [...ofSame, [next, line] as const]) {
      lines.delete(other);
      lines.set(other, waiting);
    }
    const [job] = line;
    job?.enter();
  }

  async function runAndRelease<T>(caller: string, job: () => Promise<T>): Promise<T> {
    try {
      return await job();
    } finally {
      release(caller);
    }
  }

  return {
    /** Runs `job` with a permit. Rejects with the signal's reason when it aborts before there was one. */
    async run<T>(job: () => Promise<T>, { signal, caller = NOBODY }: JobOptions = {}): Promise<T> {
      await acquire(caller, signal);
      return runAndRelease(caller, job);
    },
    /** Runs `job` if a permit is free now, and returns undefined at once if none is. */
    tryRun<T>(job: () => Promise<T>, { caller = NOBODY }: Pick<JobOptions, "caller"> = {}): Promise<T> | undefined {
      if (free === 0) return undefined;
      free -= 1;
      changeRunning(caller, 1);
      return runAndRelease(caller, job);
    },
    /** Throws the error of a full line when a job of this caller would be refused now. */
    requireRoom,
    running: (): number => permits - free,
    waiting: (): number => waiting,
  };
}

// Mutex by name: jobs of one name run one after another, in the order in which they came.

export function createMutex() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, job: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(job);
    last.set(
      name,
      mine.catch(() => undefined),
    );
    return mine;
  };
}
