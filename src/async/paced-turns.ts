/**
 * Paces work that begins in a burst: so many callers go on in each turn of the event loop, in the order in which they
 * came.
 */
export function createPacedTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function serve(): void {
    for (const goOn of waiting.splice(0, perTurn)) goOn();
    if (waiting.length > 0) setImmediate(serve);
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(serve);
      waiting.push(resolve);
    });
}
