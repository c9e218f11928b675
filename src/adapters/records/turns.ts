/** Runs jobs of one name one after another. */
export function takeTurns() {
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
