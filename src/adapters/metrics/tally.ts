// Counters and histograms in plain arrays. An observation happens many times a request: here it takes a tenth of what it
// takes in prom-client, which is loaded when the metrics are first read.
import type { MetricDefinition } from "#ports/metrics/catalogue.ts";

export interface Series {
  readonly labels: readonly string[];
  /** Of a counter, how often; of a histogram, how many observations. */
  count: number;
  sum: number;
  /** How many observations were above the bound before, and not above this one. */
  readonly buckets: Float64Array;
}

export type Tally = ReturnType<typeof createTally>;

/** The series of one metric, one for each combination of label values. */
export function createTally({ labels: names, buckets: bounds = [] }: MetricDefinition) {
  const series = new Map<string, Series>();

  function create(key: string, labels: readonly string[]): Series {
    const created = { labels, count: 0, sum: 0, buckets: new Float64Array(bounds.length) };
    series.set(key, created);
    return created;
  }

  // A metric without labels is there from the beginning, with zero.
  if (names.length === 0) create("", []);

  return {
    add(labels: readonly string[], value = 1): void {
      const key = labels.length < 2 ? (labels[0] ?? "") : labels.join("\n");
      const found = series.get(key) ?? create(key, labels);
      found.count += 1;
      found.sum += value;
      for (let i = 0; i < bounds.length; i++) {
        if (value > (bounds[i] as number)) continue;
        found.buckets[i] = (found.buckets[i] as number) + 1;
        return;
      }
    },
    all: (): Iterable<Series> => series.values(),
  };
}
