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

/** The words after the name: its labels. */
type LabelsIn<Text extends string> = Text extends `${string} ${infer Labels}` ? WordsIn<Labels> : readonly [];
type WordsIn<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? [Word, ...WordsIn<Rest>] : [Text];

const define = <K extends string, const T extends string>(kind: K, text: T, help: string, suffix = "") => {
  const [name, ...labels] = text.split(" ");
  return { kind, name: `portcullis_${name}${suffix}`, help, labels: labels as unknown as LabelsIn<T> } as const;
};
const counter = <T extends string>(text: T, help: string) => define("counter", text, help, "_total");
const gauge = <T extends string>(text: T, help: string) => define("gauge", text, help);
const seconds = <T extends string>(text: T, help: string) =>
  ({ ...define("histogram", text, help, "_seconds"), buckets: SECONDS }) as const;

export const METRICS = {
  buildInfo: gauge("build_info version node records blobs model ledger", "Always 1. The labels say what runs."),

  requestDuration: seconds(
    "http_request_duration route method status",
    "Requests that reached the router, and how long the head of the reply took.",
  ),
  requestsRefused: counter(
    "http_requests_refused by",
    "Requests refused by admission control, a rate limit, after too many failed authentications, because too much of earlier replies is unread, or because long bodies hold too much memory.",
  ),
  tenantRequests: counter(
    "tenant_requests tenant kind outcome",
    "Requests in the tenants that METRICS_TENANTS names, and no others, by kind and by what became of them.",
  ),
  problems: counter("http_problems code", "Problems that callers were sent, by code."),
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
    "http_replies_cut by",
    "Replies cut because their client took nothing for 30 seconds, or to make room for others.",
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
    "gate_decisions operation outcome",
    "Decisions of the gate: an agent may use something, may use nothing, or its caller was refused.",
  ),
  fenceWait: seconds("fence_wait", "How long an action waited until it was let through the fence."),
  fenceHold: seconds("fence_hold", "How long an action was behind the fence. A revoke waits for it."),
  fenceActions: gauge("fence_actions", "Actions behind the fence."),
  fencePassages: counter("fence_passages outcome", "Actions that came to the fence, by what became of them."),
  revokeDuration: seconds("revoke_duration", "How long a change of the policy that closes took until it was final."),
  policyVersion: gauge("policy_version", "The version of the policy that this process read last."),
  receipts: counter("receipts state", "Receipts that this process recorded, by their state."),

  answersInFlight: gauge("answers_in_flight", "Attempts at an answer between recall and release."),
  piecesWaiting: gauge("release_queue_pieces", "Pieces of answers that wait for their listener or for the fence."),
  modelCallDuration: seconds("model_call_duration outcome", "Calls of the language model."),
  modelCallsRunning: gauge("model_calls_running", "Calls of the language model under way."),
  modelCallsWaiting: gauge("model_calls_waiting", "Calls of the language model that wait for a permit."),
  blobCallDuration: seconds("blob_call_duration operation outcome", "Calls of the blob store."),
  ledgerCallDuration: seconds("ledger_call_duration operation outcome", "Calls of the ledger."),
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
