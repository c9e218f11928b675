// Takes one fence out of a service, so that a checker can show that it notices. The service has one fence for both
// moments; which of them a pass belongs to is known from who asks: the model's adapter, for answers and for the gateway, or
// anybody else. The point `lost` leaves the fences in place, and takes out the signal that the lock of the fence was lost.
// The points `memory` and `expiry` leave them, too, and take out what they ask about memories, or about the time of their
// expiry. The point `begun` begins no receipt before a prompt leaves.
import { AsyncLocalStorage } from "node:async_hooks";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import type { LanguageModel, ReadSet, RecordStore, SendFence } from "#ports.ts";

export type FencePoint = "send" | "release" | "both" | "lost" | "memory" | "expiry" | "begun";

interface Parts<Records extends RecordStore> {
  readonly records: Records;
  readonly model: LanguageModel;
}

export function removeFence<R extends RecordStore>(point: FencePoint, { records, model }: Parts<R>): Parts<R> {
  if (point === "begun")
    return { records: { ...records, receipts: { ...records.receipts, begin: async () => undefined } }, model };
  const sending = new AsyncLocalStorage<boolean>();
  const asSender = (fence: SendFence) => ((send) => sending.run(true, () => fence(send))) as SendFence;
  const { name, completions } = model;
  const isRemoved = () => point === "both" || point === (sending.getStore() === true ? "send" : "release");
  return {
    records: {
      ...records,
      policy: {
        ...records.policy,
        // The listener aborts most stale attempts before they leak, and would hide that the fence is gone.
        onChange: () => undefined,
        async passFence(readSet, action) {
          if (point === "lost") return records.policy.passFence(readSet, () => action(NEVER_ABORTS));
          if (point === "memory" || point === "expiry")
            return records.policy.passFence(withoutMemories(readSet, point), action);
          if (!isRemoved()) return records.policy.passFence(readSet, (lost) => sending.run(false, action, lost));
          await sending.run(false, action, NEVER_ABORTS);
          return true;
        },
      },
    },
    model: {
      name,
      complete: (prompt, { fence, ...options }) => model.complete(prompt, { ...options, fence: asSender(fence) }),
      completions: completions && {
        models: completions.models,
        forward: (of, request, { fence, ...options }) =>
          completions.forward(of, request, { ...options, fence: asSender(fence) }),
      },
    },
  };
}

function withoutMemories({ expiresAt: _, ...readSet }: ReadSet, point: "memory" | "expiry"): ReadSet {
  return point === "memory" ? { ...readSet, memoryIds: [] } : readSet;
}
