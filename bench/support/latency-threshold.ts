// The simplest classifier that tells two kinds of answers apart by their latency: a threshold, and which side of it
// means which kind.

export interface Sample {
  readonly ms: number;
  /** Whether the question had words of blocked memories. */
  readonly isBlocked: boolean;
}

export interface Threshold {
  readonly ms: number;
  /** Whether answers above the threshold are taken for those with blocked words. */
  readonly slowIsBlocked: boolean;
}

/** The threshold that is right most often. */
export function bestThreshold(samples: readonly Sample[]): Threshold {
  const sorted = samples.toSorted((a, b) => a.ms - b.ms);
  // Below the first sample, all are slow. Moving the threshold up past a sample makes that sample fast.
  let right = sorted.filter(({ isBlocked }) => isBlocked).length;
  let best: Threshold & { readonly right: number } = { ms: -1, slowIsBlocked: true, right };
  for (const [i, { ms, isBlocked }] of sorted.entries()) {
    right += isBlocked ? -1 : 1;
    // Samples with the same latency cannot be told apart.
    if (sorted[i + 1]?.ms === ms) continue;
    if (right > best.right) best = { ms, slowIsBlocked: true, right };
    if (sorted.length - right > best.right) best = { ms, slowIsBlocked: false, right: sorted.length - right };
  }
  return { ms: best.ms, slowIsBlocked: best.slowIsBlocked };
}

/** The share of samples that the threshold gets right. */
export function guessedRight(samples: readonly Sample[], { ms, slowIsBlocked }: Threshold): number {
  const right = samples.filter((sample) => (sample.ms > ms === slowIsBlocked) === sample.isBlocked);
  return right.length / samples.length;
}
