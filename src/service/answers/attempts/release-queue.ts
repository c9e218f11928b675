// Releases what the gate decided and the pieces of an answer in order, each behind the fence, as fast as the listener takes
// them (backpressure). Pieces that arrive while one is released pass the fence together.
import { untilAborted } from "#async/with-deadline.ts";
import type { GateReport } from "#service/answers/answered.ts";
import type { Listener } from "#service/answers/caller.ts";
import type { Fence } from "./fence.ts";

interface QueueOptions {
  readonly listener: Listener;
  readonly fence: Pick<Fence, "release">;
  /** Aborts when nobody listens any more, or when nothing more may be released. */
  readonly signal: AbortSignal;
  /** Counts the pieces that wait, in all queues together. */
  readonly queued?: { pieces: number };
  readonly onError: (error: unknown) => void;
}

export type ReleaseQueue = ReturnType<typeof createReleaseQueue>;

export function createReleaseQueue({ listener, fence, signal, queued = { pieces: 0 }, onError }: QueueOptions) {
  let waiting: string[] = [];
  let releasing: Promise<void> | undefined;
  let hasReleased = false;

  function takeAll(): readonly string[] {
    const pieces = waiting;
    waiting = [];
    queued.pieces -= pieces.length;
    return pieces;
  }

  async function releaseAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        await untilAborted(signal, listener.ready());
        await fence.release(takeAll(), (fenced, lost) => {
          hasReleased = true;
          return listener.write(fenced, lost);
        });
      }
    } catch (error) {
      takeAll();
      onError(error);
    } finally {
      releasing = undefined;
    }
  }

  async function drained(): Promise<void> {
    await releasing;
    await untilAborted(signal, listener.ready());
  }

  return {
    /** Resolves when it has left, after all pieces before it. */
    async addGate(report: GateReport): Promise<void> {
      await drained();
      const leaving = fence.release(report, (fenced, lost) => {
        hasReleased = true;
        return listener.gate(fenced, lost);
      });
      const settled = () => {
        releasing = undefined;
      };
      releasing = leaving.then(settled, settled);
      await leaving;
    },
    add(piece: string): void {
      waiting.push(piece);
      queued.pieces += 1;
      releasing ??= releaseAll();
    },
    /** Resolves when every piece has been released and the listener is ready for more. */
    drained,
    /** Resolves when no release is under way: all have ended, or one has failed. */
    async idle(): Promise<void> {
      await releasing;
    },
    hasReleased: (): boolean => hasReleased,
  };
}
