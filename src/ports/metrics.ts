// Metrics: the port, and the catalogue of what is measured: what each is called on /metrics, what it says, and its labels.
// docs/metrics.md lists them.
//
// Labels have few values, whatever callers send: a route of the table and never a path, an error's code and never its
// text. No label names an agent, a namespace or a caller, nor a tenant, but for those that the operator lists.

type Catalogue = typeof METRICS;
export type MetricName = keyof Catalogue;
type NameOf<Kind> = { [N in MetricName]: Catalogue[N]["kind"] extends Kind ? N : never }[MetricName];

/** A value for each label, in the order of the catalogue. */
export type LabelValues<N extends MetricName> = Strings<Catalogue[N]["labels"]>;
type Strings<Labels extends readonly string[]> = { [I in keyof Labels]: string };

/** Counts and measures for operators. Decides nothing, never fails, and learns no name of anybody. */
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

type Labels = readonly string[];

const counter = <const L extends Labels>(name: string, help: string, ...labels: L) =>
  ({ kind: "counter", name: `portcullis_${name}_total`, help, labels }) as const;
const gauge = <const L extends Labels>(name: string, help: string, ...labels: L) =>
  ({ kind: "gauge", name: `portcullis_${name}`, help, labels }) as const;
const seconds = <const L extends Labels>(name: string, help: string, ...labels: L) =>
  ({ kind: "histogram", name: `portcullis_${name}_seconds`, help, labels, buckets: SECONDS }) as const;

export const METRICS = {
  buildInfo: gauge(
    "build_info",
    "Always 1. The labels say what runs.",
    "version",
    "node",
    "records",
    "blobs",
    "model",
    "ledger",
  ),

  requestDuration: seconds(
    "http_request_duration",
    "Requests that reached the router, and how long the head of the reply took.",
    "route",
    "method",
    "status",
  ),
  requestsRefused: counter(
    "http_requests_refused",
    "Requests refused by admission control, a rate limit, after too many failed authentications, because too much of earlier replies is unread, or because long bodies hold too much memory.",
    "by",
  ),
  tenantRequests: counter(
    "tenant_requests",
    "Requests in the tenants that METRICS_TENANTS names, and no others, by kind and by what became of them.",
    "tenant",
    "kind",
    "outcome",
  ),
  problems: counter("http_problems", "Problems that callers were sent, by code.", "code"),
  requestsInFlight: gauge(
    "http_requests_in_flight",
    "Requests that admission control let in, and that are not answered yet.",
  ),
  requestsWaiting: gauge("http_requests_waiting", "Requests in the line of admission control."),
  concurrencyLimit: gauge(
    "http_concurrency_limit",
    "How many requests that compute admission control lets in at a time, as of now.",
  ),
  openStreams: gauge("http_open_streams", "Replies under way that are sent in pieces or behind the fence."),
  replyBytesWaiting: gauge(
    "http_reply_bytes_waiting",
    "Memory that replies hold, or have reserved, until their clients have taken them.",
  ),
  repliesCut: counter(
    "http_replies_cut",
    "Replies cut because their client took nothing for 30 seconds, or to make room for others.",
    "by",
  ),
  eventListeners: gauge("event_listeners", "Clients that listen to the feed of events."),
  loopDelay: {
    ...seconds(
      "event_loop_delay",
      "How late timers were, sampled every 10 ms while there are requests: stalls of the event loop.",
    ),
    buckets: STALL_SECONDS,
  },

  gateDecisions: counter(
    "gate_decisions",
    "Decisions of the gate: an agent may use something, may use nothing, or its caller was refused.",
    "operation",
    "outcome",
  ),
  fenceWait: seconds("fence_wait", "How long an action waited until it was let through the fence."),
  fenceHold: seconds("fence_hold", "How long an action was behind the fence. A revoke waits for it."),
  fenceActions: gauge("fence_actions", "Actions behind the fence."),
  fencePassages: counter("fence_passages", "Actions that came to the fence, by what became of them.", "outcome"),
  revokeDuration: seconds("revoke_duration", "How long a change of the policy that closes took until it was final."),
  policyVersion: gauge("policy_version", "The version of the policy that this process read last."),
  receipts: counter("receipts", "Receipts that this process recorded, by their state.", "state"),

  answersInFlight: gauge("answers_in_flight", "Attempts at an answer between recall and release."),
  piecesWaiting: gauge("release_queue_pieces", "Pieces of answers that wait for their listener or for the fence."),
  modelCallDuration: seconds("model_call_duration", "Calls of the language model.", "outcome"),
  modelCallsRunning: gauge("model_calls_running", "Calls of the language model under way."),
  modelCallsWaiting: gauge("model_calls_waiting", "Calls of the language model that wait for a permit."),
  blobCallDuration: seconds("blob_call_duration", "Calls of the blob store.", "operation", "outcome"),
  ledgerCallDuration: seconds("ledger_call_duration", "Calls of the ledger.", "operation", "outcome"),
  anchorsPending: gauge("anchors_pending", "Anchors on record that wait for the ledger, 1,000 at most."),
  verificationsRunning: gauge("verifications_running", "Verifications under way, without deep ones."),
  verificationsWaiting: gauge("verifications_waiting", "Verifications that wait for a permit."),
  deepVerificationsRunning: gauge("deep_verifications_running", "Deep verifications under way."),
  importsRunning: gauge("imports_running", "Imports in progress."),

  commitDuration: seconds("commit_duration", "Group commits, and how long each took until it was on disk."),
  commitWrites: {
    kind: "histogram",
    name: "portcullis_commit_writes",
    help: "Writes that shared a group commit.",
    labels: [],
    buckets: WRITES,
  },
  indexMemories: gauge("index_memories", "Memories in the recall index."),
  indexNamespaces: gauge("index_namespaces", "Namespaces in the recall index."),
  indexTermsLeftOut: gauge(
    "index_terms_left_out",
    "Words of memories that the recall index leaves out, because their namespace has a million others.",
  ),
  diskFree: gauge("disk_free_bytes", "Free space where the SQLite file is."),
} as const satisfies Readonly<Record<string, MetricDefinition>>;
