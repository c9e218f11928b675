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
