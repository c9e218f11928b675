// The metrics in the text format of Prometheus, by prom-client, with those of the process and of Node.js that it knows.
import type { Metric, Registry } from "prom-client";
import { orAfter } from "#async/with-deadline.ts";
import { METRICS, type MetricDefinition } from "#ports/metrics.ts";
import type { Exposition, MetricName, Metrics } from "#ports.ts";

/** A gauge that asks the database must not keep the others waiting. */
const GAUGE_DEADLINE_MS = 1_000;
/** How often Node.js looks at the delay of its event loop, for the percentiles that prom-client reads. */
const LOOP_SAMPLE_MS = 20;

interface Gauge {
  readonly labels: readonly string[];
  readonly read: () => number | Promise<number>;
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export function prometheusMetrics(): Metrics {
  const definitions = Object.entries<MetricDefinition>(METRICS) as [MetricName, MetricDefinition][];
  const tallies = Object.fromEntries(
    definitions.map(([name, definition]) => [name, createTally(definition)]),
  ) as Readonly<Record<MetricName, Tally>>;
  const gauges = new Map<MetricName, Gauge>();
  let registry: Promise<Registry> | undefined;
  let reading: Promise<Exposition> | undefined;

  async function samplesOf(name: MetricName, definition: MetricDefinition): Promise<Sample[]> {
    if (definition.kind === "gauge") return gaugeSamples(definition, gauges.get(name));
    return [...tallies[name].all()].flatMap((series) =>
      definition.kind === "counter"
        ? { metricName: definition.name, labels: labelled(definition, series.labels), value: series.count }
        : histogramSamples(definition, series),
    );
  }

  /** Not before somebody reads them: it takes time to load, and watches garbage collection and the event loop from then on. */
  async function createRegistry(): Promise<Registry> {
    const { default: promClient } = await import("prom-client");
    const created = new promClient.Registry();
    for (const [key, definition] of definitions) {
      const { kind: type, name, help } = definition;
      const metric = {
        name,
        help,
        type,
        get: async () => ({ name, help, type, values: await samplesOf(key, definition) }),
      };
      // The registry asks a metric for no more than this.
      created.registerMetric(metric as unknown as Metric);
    }
    promClient.collectDefaultMetrics({ register: created, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
    return created;
  }

  async function read(): Promise<Exposition> {
    registry ??= createRegistry();
    const { contentType } = await registry;
    const text = await (await registry).metrics();
    // prom-client writes "Nan", which not every reader takes.
    return { contentType, text: text.replaceAll(/ Nan$/gm, " NaN") };
  }

  return {
    add: (name, ...labels) => tallies[name].add(labels as readonly string[]),
    observe: (name, value, ...labels) => tallies[name].add(labels as readonly string[], value),
    gauge: (name, readGauge, ...labels) =>
      void gauges.set(name, { labels: labels as readonly string[], read: readGauge }),
    exposition() {
      // Those who ask at the same time share one reading.
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

async function gaugeSamples(definition: MetricDefinition, gauge: Gauge | undefined): Promise<Sample[]> {
  if (gauge === undefined) return [];
  const labels = labelled(definition, gauge.labels);
  return [{ metricName: definition.name, labels, value: await gaugeValue(gauge) }];
}

/** What cannot be read now is not a number. */
async function gaugeValue({ read }: Gauge): Promise<number> {
  try {
    const value = read();
    return typeof value === "number" ? value : await orAfter(GAUGE_DEADLINE_MS, value, Number.NaN);
  } catch {
    return Number.NaN;
  }
}

function histogramSamples(definition: MetricDefinition, { labels: values, buckets, count, sum }: Series): Sample[] {
  const { name, buckets: bounds = [] } = definition;
  const labels = labelled(definition, values);
  let below = 0;
  const samples = bounds.map((bound, i) => {
    below += buckets[i] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: below };
  });
  return [
    ...samples,
    { metricName: `${name}_bucket`, labels: { ...labels, le: "+Inf" }, value: count },
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

const labelled = ({ labels }: MetricDefinition, values: readonly string[]): Record<string, string> =>
  Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ""]));

// Counters and histograms in plain arrays. An observation happens many times a request: here it takes a tenth of what it
// takes in prom-client, which is loaded when the metrics are first read.

interface Series {
  readonly labels: readonly string[];
  /** Of a counter, how often; of a histogram, how many observations. */
  count: number;
  sum: number;
  /** How many observations were above the bound before, and not above this one. */
  readonly buckets: Float64Array;
}

type Tally = ReturnType<typeof createTally>;

function createTally({ labels: names, buckets: bounds = [] }: MetricDefinition) {
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
