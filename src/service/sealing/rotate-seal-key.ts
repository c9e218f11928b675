// Rotation: the keys of all sealed memories are wrapped with the key of today, so that former keys can be destroyed. The
// memories and their blobs stay as they are. It may be ended at any time and begun again.
import type { Deps } from "#service/deps.ts";

export interface Rotation {
  /** Memories whose key is wrapped by the key of today now, and was not before. */
  readonly rewrapped: number;
  /** Memories whose key none of the configured keys can unwrap. */
  readonly unknown: number;
}

type Rotating = Pick<Deps, "records" | "cipher">;

const STEP = 200;

export async function rotateSealKey(
  { records, cipher }: Rotating,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<Rotation> {
  const { seals } = records;
  const keyId = await cipher.takeOver();
  const others = [...(await seals.counts())].filter(([id]) => id !== keyId);
  const total = others.reduce((sum, [, count]) => sum + count, 0);
  let rewrapped = 0;
  let unknown = 0;
  let after: string | undefined;
  for (;;) {
    const rows = await seals.wrappedByOthers({ keyId, limit: STEP, ...(after !== undefined && { after }) });
    after = rows.at(-1)?.memoryId;
    if (after === undefined) break;
    const changes = await Promise.all(
      rows.map(async ({ memoryId, seal }) => {
        const to = await cipher.rewrap(memoryId, seal);
        return to === undefined ? [] : { memoryId, from: seal, to };
      }),
    );
    const known = changes.flat();
    rewrapped += await seals.rewrap(known);
    unknown += rows.length - known.length;
    onProgress(rewrapped + unknown, total);
  }
  // Nobody needs the secret under a former key any more. With that key alone, it would still confirm guesses.
  if (unknown === 0)
    for (const former of (await seals.secrets()).keys()) if (former !== keyId) await seals.removeSecret(former);
  return { rewrapped, unknown };
}
