// The records with a turn of a scheduler before and after all that is asked of them, and within the fence.
import type { RecordStore } from "#ports.ts";

export function scheduledRecords(records: RecordStore, turn: () => Promise<void>): RecordStore {
  async function between<T>(job: () => Promise<T>): Promise<T> {
    await turn();
    const result = await job();
    await turn();
    return result;
  }
  const inTurns =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    (...args: Args) =>
      between(() => call(...args));
  const { changeFeed, memories, receipts, policy } = records;
  return {
    ...records,
    changeFeed: { since: inTurns(changeFeed.since), changesIn: inTurns(changeFeed.changesIn) },
    memories: {
      ...memories,
      add: inTurns(memories.add),
      at: inTurns(memories.at),
      find: inTurns(memories.find),
      page: inTurns(memories.page),
      current: inTurns(memories.current),
      forget: inTurns(memories.forget),
      forgetExpired: inTurns(memories.forgetExpired),
    },
    receipts: { ...receipts, add: inTurns(receipts.add) },
    policy: {
      ...policy,
      set: inTurns(policy.set),
      setAll: inTurns(policy.setAll),
      passFence: (readSet, action) =>
        between(() => policy.passFence(readSet, (lost) => between(async () => action(lost)))),
    },
    reset: inTurns(records.reset),
  };
}
