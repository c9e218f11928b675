// Replies under way, by the credential that they were asked for with. A reply is cut soon after its key was revoked,
// rotated or expired, its session ended, its token expired, or its tenant was suspended or deleted.
import { DeadlineExceeded, withDeadline } from "#async/with-deadline.ts";
import type { Credential, Principal } from "#core/identity/principal.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { KeyCredential, KeyRecords, Metrics, TenantRecords } from "#ports.ts";

const CHECK_MS = 500;
const CHECK_DEADLINE_MS = 2_000;
/** When the records have not answered for so long, nobody knows whether a key is still good, and all streams are cut. */
const BLIND_MS = 5_000;

export type OpenStreams = ReturnType<typeof watchOpenStreams>;

interface Stream {
  /** Absent without identities. */
  readonly credential: Credential | undefined;
  readonly tenant: number;
  abort(): void;
}

interface WatchOptions {
  readonly keys: Pick<KeyRecords, "endedAmong">;
  /** Left out: there is one tenant, which cannot be suspended. */
  readonly tenants?: Pick<TenantRecords, "suspendedAmong"> | undefined;
  readonly now: () => Date;
  readonly checkMs?: number;
  readonly blindMs?: number;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
}

export function watchOpenStreams({
  keys,
  tenants,
  now,
  checkMs = CHECK_MS,
  blindMs = BLIND_MS,
  metrics,
}: WatchOptions) {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  /** When the last successful check began. */
  let knownAt = 0;
  let open = 0;
  metrics?.gauge("openStreams", () => open);

  function schedule(): void {
    if (timer !== undefined || isChecking || streams.size === 0) return;
    timer = setTimeout(() => void check(), checkMs);
    timer.unref();
  }

  async function check(): Promise<void> {
    timer = undefined;
    isChecking = true;
    const began = performance.now();
    const watched = [...streams];
    try {
      cut([...(await endedAmong(watched)), ...(await suspendedAmong(watched))]);
      knownAt = began;
    } catch {
      if (performance.now() - knownAt > blindMs) cut(watched);
    }
    isChecking = false;
    schedule();
  }

  function cut(ended: readonly Stream[]): void {
    for (const stream of ended) if (streams.delete(stream)) stream.abort();
  }

  async function suspendedAmong(watched: readonly Stream[]): Promise<Stream[]> {
    const numbers = new Set(watched.map(({ tenant }) => tenant));
    numbers.delete(DEFAULT_TENANT.number);
    if (tenants === undefined || numbers.size === 0) return [];
    const suspended = await withDeadline(CHECK_DEADLINE_MS, () => tenants.suspendedAmong([...numbers]), {
      onTimeout: () => new DeadlineExceeded("the records did not tell in time which tenants are suspended"),
    });
    return watched.filter(({ tenant }) => suspended.includes(tenant));
  }

  async function endedAmong(watched: readonly Stream[]): Promise<Stream[]> {
    const at = now().toISOString();
    const expired = watched.filter(({ credential }) => credential?.kind === "token" && credential.expiresAt <= at);
    const keyed = watched.filter(({ credential }) => credential !== undefined && credential.kind !== "token");
    if (keyed.length === 0) return expired;
    // Streams of one credential are asked for once.
    const groups = [...Map.groupBy(keyed, ({ credential }) => JSON.stringify(credential)).values()];
    const credentials = groups.map(([first]) => first?.credential as KeyCredential);
    const places = await withDeadline(CHECK_DEADLINE_MS, () => keys.endedAmong(credentials, at), {
      onTimeout: () => new DeadlineExceeded("the records did not tell in time which keys ended"),
    });
    return [...expired, ...places.flatMap((place) => groups[place] ?? [])];
  }

  return {
    /** Calls `abort` once when the caller's credential, or its tenant, has ended. The function that is returned ends the watch. */
    add({ credential, tenant = DEFAULT_TENANT }: Principal, abort: () => void): () => void {
      open += 1;
      const ended = () => {
        open -= 1;
      };
      const number = tenant === "any" ? DEFAULT_TENANT.number : tenant.number;
      // Without identities, the tenant is all that could end.
      if (credential === undefined && number === DEFAULT_TENANT.number) return ended;
      const stream = { credential, tenant: number, abort };
      if (streams.size === 0) knownAt = performance.now();
      streams.add(stream);
      schedule();
      return () => {
        ended();
        streams.delete(stream);
        if (streams.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
