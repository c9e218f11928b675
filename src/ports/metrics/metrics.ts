import type { METRICS } from "./catalogue.ts";

type Catalogue = typeof METRICS;
export type MetricName = keyof Catalogue;
type NameOf<Kind> = { [N in MetricName]: Catalogue[N]["kind"] extends Kind ? N : never }[MetricName];

/** A value for each label, in the order of the catalogue. */
export type LabelValues<N extends MetricName> = Strings<Catalogue[N]["labels"]>;
type Strings<Labels extends readonly string[]> = { [I in keyof Labels]: string };

/**
 * Counts and measures what the service does, for its operators. It decides nothing, never fails, and is told no name of
 * an agent, a namespace or a caller.
 */
export interface Metrics {
  add<N extends NameOf<"counter">>(name: N, ...labels: LabelValues<N>): void;
  observe<N extends NameOf<"histogram">>(name: N, value: number, ...labels: LabelValues<N>): void;
  /** `read` is called when the metrics are read. It must not count anything anew: a scrape costs little. */
  gauge<N extends NameOf<"gauge">>(name: N, read: () => number | Promise<number>, ...labels: LabelValues<N>): void;
  /** All of them, in the text format of Prometheus. */
  exposition(): Promise<Exposition>;
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}
