// Metrics: the port, and the catalogue of what is measured: what each is called on /metrics, what it says, and its labels.
// docs/metrics.md lists them.
//
// Labels have few values, whatever callers send: a route of the table and never a path, an error's code and never its
// text. No label names an agent, a namespace or a caller.

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

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
const STALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const;
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;

export interface MetricDefinition {
  readonly kind: "counter" | "gauge" | "histogram";
  readonly name: `portcullis_${string}`;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, of a histogram. */
  readonly buckets?: readonly number[];
}

type Name = MetricDefinition["name"];
type Labels = readonly string[];

const counter = <const L extends Labels>(name: Name, help: string, ...labels: L) =>
  ({ kind: "counter", name, help, labels }) as const;
const gauge = <const L extends Labels>(name: Name, help: string, ...labels: L) =>
  ({ kind: "gauge", name, help, labels }) as const;
/** `buckets` are upper bounds. */
const histogram = <const L extends Labels>(name: Name, help: string, buckets: readonly number[], ...labels: L) =>
  ({ kind: "histogram", name, help, labels, buckets }) as const;

export const METRICS = {
  buildInfo: gauge(
    "portcullis_build_info",
    "Always 1. The labels say what runs.",
    "version",
    "node",
    "records",
    "blobs",
    "model",
    "ledger",
  ),

  requestDuration: histogram(
    "portcullis_http_request_duration_seconds",
    "Requests that reached the router, and how long the head of the reply took.",
    SECONDS,
    "route",
    "method",
    "status",
  ),
  requestsRefused: counter(
    "portcullis_http_requests_refused_total",
    "Requests refused by admission control, a rate limit, after too many failed authentications, or because too much of earlier replies is unread.",
    "by",
  ),
  problems: counter("portcullis_http_problems_total", "Problems that callers were told, by their code.", "code"),
  requestsInFlight: gauge(
    "portcullis_http_requests_in_flight",
    "Requests that admission control let in, and that are not answered yet.",
  ),
  requestsWaiting: gauge("portcullis_http_requests_waiting", "Requests in the line of admission control."),
  concurrencyLimit: gauge(
    "portcullis_http_concurrency_limit",
    "How many requests that compute admission control lets in at a time, as of now.",
  ),
  openStreams: gauge("portcullis_http_open_streams", "Replies under way that are sent in pieces or behind the fence."),
  replyBytesWaiting: gauge(
    "portcullis_http_reply_bytes_waiting",
    "Memory that replies hold, or have reserved, until their clients have taken them.",
  ),
  repliesCut: counter(
    "portcullis_http_replies_cut_total",
    "Replies cut because their client took nothing for 30 seconds, or to make room for others.",
    "by",
  ),
  eventListeners: gauge("portcullis_event_listeners", "Clients that listen to the feed of events."),
  loopDelay: histogram(
    "portcullis_event_loop_delay_seconds",
    "How late timers were, sampled every 10 ms while there are requests: stalls of the event loop.",
    STALL_SECONDS,
  ),

  gateDecisions: counter(
    "portcullis_gate_decisions_total",
    "Decisions of the gate: an agent may use something, may use nothing, or its caller was refused.",
    "door",
    "outcome",
  ),
  fenceWait: histogram(
    "portcullis_fence_wait_seconds",
    "How long an action waited until it was let through the fence.",
    SECONDS,
  ),
  fenceHold: histogram(
    "portcullis_fence_hold_seconds",
    "How long an action was behind the fence. A revoke waits for it.",
    SECONDS,
  ),
  fenceActions: gauge("portcullis_fence_actions", "Actions behind the fence."),
  fencePassages: counter(
    "portcullis_fence_passages_total",
    "Actions that came to the fence, by what became of them.",
    "outcome",
  ),
  revokeDuration: histogram(
    "portcullis_revoke_duration_seconds",
    "How long a change of the policy that closes took until it was final.",
    SECONDS,
  ),
  policyVersion: gauge("portcullis_policy_version", "The version of the policy that this process read last."),
  receipts: counter("portcullis_receipts_total", "Receipts that this process recorded, by their state.", "state"),

  answersInFlight: gauge("portcullis_answers_in_flight", "Attempts at an answer between recall and release."),
  piecesWaiting: gauge(
    "portcullis_release_queue_pieces",
    "Pieces of answers that wait for their listener or for the fence.",
  ),
  modelCallDuration: histogram(
    "portcullis_model_call_duration_seconds",
    "Calls of the language model.",
    SECONDS,
    "outcome",
  ),
  modelCallsRunning: gauge("portcullis_model_calls_running", "Calls of the language model under way."),
  modelCallsWaiting: gauge("portcullis_model_calls_waiting", "Calls of the language model that wait for a permit."),
  blobCallDuration: histogram(
    "portcullis_blob_call_duration_seconds",
    "Calls of the blob store.",
    SECONDS,
    "operation",
    "outcome",
  ),
  ledgerCallDuration: histogram(
    "portcullis_ledger_call_duration_seconds",
    "Calls of the ledger.",
    SECONDS,
    "operation",
    "outcome",
  ),
  anchorsPending: gauge("portcullis_anchors_pending", "Anchors on record that wait for the ledger, 1,000 at most."),
  verificationsRunning: gauge("portcullis_verifications_running", "Verifications under way, without deep ones."),
  verificationsWaiting: gauge("portcullis_verifications_waiting", "Verifications that wait for a permit."),
  deepVerificationsRunning: gauge("portcullis_deep_verifications_running", "Deep verifications under way."),
  importsRunning: gauge("portcullis_imports_running", "Imports in progress."),

  commitDuration: histogram(
    "portcullis_commit_duration_seconds",
    "Group commits, and how long each took until it was on disk.",
    SECONDS,
  ),
  commitWrites: histogram("portcullis_commit_writes", "Writes that shared a group commit.", WRITES),
  indexMemories: gauge("portcullis_index_memories", "Memories in the recall index."),
  indexNamespaces: gauge("portcullis_index_namespaces", "Namespaces in the recall index."),
  indexTermsLeftOut: gauge(
    "portcullis_index_terms_left_out",
    "Words of memories that the recall index leaves out, because their namespace has a million others.",
  ),
  diskFree: gauge("portcullis_disk_free_bytes", "Free space where the SQLite file is."),
} as const satisfies Readonly<Record<string, MetricDefinition>>;
