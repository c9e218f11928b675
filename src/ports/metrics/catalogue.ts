// All metrics of the service: what each is called on /metrics, what it says, and its labels. docs/metrics.md lists them.
//
// Labels have few values, whatever callers send: a route of the table and never a path, an error's code and never its
// text. No label names an agent, a namespace or a caller.

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

export const METRICS = {
  buildInfo: {
    kind: "gauge",
    name: "portcullis_build_info",
    help: "Always 1. The labels say what runs.",
    labels: ["version", "node", "records", "blobs", "model", "ledger"],
  },

  requestDuration: {
    kind: "histogram",
    name: "portcullis_http_request_duration_seconds",
    help: "Requests that reached the router, and how long the head of the reply took.",
    labels: ["route", "method", "status"],
    buckets: SECONDS,
  },
  requestsRefused: {
    kind: "counter",
    name: "portcullis_http_requests_refused_total",
    help: "Requests refused by admission control, a rate limit, or after too many failed authentications.",
    labels: ["by"],
  },
  problems: {
    kind: "counter",
    name: "portcullis_http_problems_total",
    help: "Problems that callers were told, by their code.",
    labels: ["code"],
  },
  requestsInFlight: {
    kind: "gauge",
    name: "portcullis_http_requests_in_flight",
    help: "Requests that admission control let in, and that are not answered yet.",
    labels: [],
  },
  requestsWaiting: {
    kind: "gauge",
    name: "portcullis_http_requests_waiting",
    help: "Requests in the line of admission control.",
    labels: [],
  },
  concurrencyLimit: {
    kind: "gauge",
    name: "portcullis_http_concurrency_limit",
    help: "How many requests that compute admission control lets in at a time, as of now.",
    labels: [],
  },
  openStreams: {
    kind: "gauge",
    name: "portcullis_http_open_streams",
    help: "Replies under way that are sent in pieces or behind the fence.",
    labels: [],
  },
  eventListeners: {
    kind: "gauge",
    name: "portcullis_event_listeners",
    help: "Clients that listen to the feed of events.",
    labels: [],
  },
  loopDelay: {
    kind: "histogram",
    name: "portcullis_event_loop_delay_seconds",
    help: "How late timers were, sampled every 10 ms while there are requests: stalls of the event loop.",
    labels: [],
    buckets: STALL_SECONDS,
  },

  gateDecisions: {
    kind: "counter",
    name: "portcullis_gate_decisions_total",
    help: "Decisions of the gate: an agent may use something, may use nothing, or its caller was refused.",
    labels: ["door", "outcome"],
  },
  fenceWait: {
    kind: "histogram",
    name: "portcullis_fence_wait_seconds",
    help: "How long an action waited until it was let through the fence.",
    labels: [],
    buckets: SECONDS,
  },
  fenceHold: {
    kind: "histogram",
    name: "portcullis_fence_hold_seconds",
    help: "How long an action was behind the fence. A revoke waits for it.",
    labels: [],
    buckets: SECONDS,
  },
  fenceActions: {
    kind: "gauge",
    name: "portcullis_fence_actions",
    help: "Actions behind the fence.",
    labels: [],
  },
  fencePassages: {
    kind: "counter",
    name: "portcullis_fence_passages_total",
    help: "Actions that came to the fence, by what became of them.",
    labels: ["outcome"],
  },
  revokeDuration: {
    kind: "histogram",
    name: "portcullis_revoke_duration_seconds",
    help: "How long a change of the policy that closes took until it was final.",
    labels: [],
    buckets: SECONDS,
  },
  policyVersion: {
    kind: "gauge",
    name: "portcullis_policy_version",
    help: "The version of the policy that this process read last.",
    labels: [],
  },
  receipts: {
    kind: "counter",
    name: "portcullis_receipts_total",
    help: "Receipts that this process recorded, by their state.",
    labels: ["state"],
  },

  answersInFlight: {
    kind: "gauge",
    name: "portcullis_answers_in_flight",
    help: "Attempts at an answer between recall and release.",
    labels: [],
  },
  piecesWaiting: {
    kind: "gauge",
    name: "portcullis_release_queue_pieces",
    help: "Pieces of answers that wait for their listener or for the fence.",
    labels: [],
  },
  modelCallDuration: {
    kind: "histogram",
    name: "portcullis_model_call_duration_seconds",
    help: "Calls of the language model.",
    labels: ["outcome"],
    buckets: SECONDS,
  },
  modelCallsRunning: {
    kind: "gauge",
    name: "portcullis_model_calls_running",
    help: "Calls of the language model under way.",
    labels: [],
  },
  modelCallsWaiting: {
    kind: "gauge",
    name: "portcullis_model_calls_waiting",
    help: "Calls of the language model that wait for a permit.",
    labels: [],
  },
  blobCallDuration: {
    kind: "histogram",
    name: "portcullis_blob_call_duration_seconds",
    help: "Calls of the blob store.",
    labels: ["operation", "outcome"],
    buckets: SECONDS,
  },
  ledgerCallDuration: {
    kind: "histogram",
    name: "portcullis_ledger_call_duration_seconds",
    help: "Calls of the ledger.",
    labels: ["operation", "outcome"],
    buckets: SECONDS,
  },
  anchorsPending: {
    kind: "gauge",
    name: "portcullis_anchors_pending",
    help: "Anchors on record that wait for the ledger, 1,000 at most.",
    labels: [],
  },
  verificationsRunning: {
    kind: "gauge",
    name: "portcullis_verifications_running",
    help: "Verifications under way, without deep ones.",
    labels: [],
  },
  verificationsWaiting: {
    kind: "gauge",
    name: "portcullis_verifications_waiting",
    help: "Verifications that wait for a permit.",
    labels: [],
  },
  deepVerificationsRunning: {
    kind: "gauge",
    name: "portcullis_deep_verifications_running",
    help: "Deep verifications under way.",
    labels: [],
  },
  importsRunning: {
    kind: "gauge",
    name: "portcullis_imports_running",
    help: "Imports in progress.",
    labels: [],
  },

  commitDuration: {
    kind: "histogram",
    name: "portcullis_commit_duration_seconds",
    help: "Group commits, and how long each took until it was on disk.",
    labels: [],
    buckets: SECONDS,
  },
  commitWrites: {
    kind: "histogram",
    name: "portcullis_commit_writes",
    help: "Writes that shared a group commit.",
    labels: [],
    buckets: WRITES,
  },
  indexMemories: {
    kind: "gauge",
    name: "portcullis_index_memories",
    help: "Memories in the recall index.",
    labels: [],
  },
  indexNamespaces: {
    kind: "gauge",
    name: "portcullis_index_namespaces",
    help: "Namespaces in the recall index.",
    labels: [],
  },
  diskFree: {
    kind: "gauge",
    name: "portcullis_disk_free_bytes",
    help: "Free space where the SQLite file is.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
