// Admission control in front of the app, on Node's own request and response: a request that is refused costs neither
// routing, nor authentication, nor a body.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import { MCP_PATH } from "#contract/paths.ts";
import { isRefusedUnderLoad, type Route, routes } from "#contract/routes.ts";
import { orUndefined } from "#core/defined.ts";
import { PortcullisError } from "#core/errors.ts";
import { COMMON_HEADERS, problemOf, problemReply } from "#http/answer/reply.ts";
import type { ProxyOptions } from "#http/edge/trusted-proxies.ts";
import type { Metrics } from "#ports.ts";
import { createAdmission } from "./admission.ts";
import type { LoopSample } from "./concurrency-limit.ts";
import { createRecentCallers } from "./recent-callers.ts";

export interface AdmissionListenerOptions {
  readonly admission?: ReturnType<typeof createAdmission> | undefined;
  /** Called about once a second while requests are refused, with how many were. */
  readonly onRefused?: ((requests: number) => void) | undefined;
  readonly metrics?: Metrics | undefined;
  readonly transport?: ProxyOptions | undefined;
}

const REPORT_MS = 1_000;

/** Beside the API, what takes work: tools of agents, a verification as a page, and blobs. */
const PREFIXES = ["/api/", MCP_PATH, "/verify/", "/v1/"];

/** Rows that overload never refuses, as `METHOD /path`. */
const EXEMPT = Object.values<Route>(routes)
  .filter((route) => !isRefusedUnderLoad(route))
  .map(({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));

function isExempt({ method, url = "" }: IncomingMessage): boolean {
  const path = pathOf(url);
  if (!PREFIXES.some((prefix) => path.startsWith(prefix))) return true;
  return EXEMPT.some((row) => row.test(`${method} ${path}`));
}

/** Nothing in it is escaped, and no segment begins with a dot. */
const PLAIN_PATH = /^(?:\/[\w~:@!$&'()*+,;=-][\w~:@!$&'()*+,;=.-]*)*\/?$/;

/** The path as the router reads it. One path has many spellings, and each must be counted. */
function pathOf(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  if (PLAIN_PATH.test(path)) return path;
  return orUndefined(() => decodeURI(new URL(path, "http://localhost").pathname)) ?? UNREADABLE;
}

/** Counts as work. */
const UNREADABLE = "/api/";

const REFUSAL = problemReply(
  problemOf(
    new PortcullisError("overloaded", "The service has more requests than it can serve. Try again in a moment."),
  ),
);
// A text and not bytes: Node then writes head and body in one go, which is most of what a refusal costs.
const REFUSAL_BODY = String(REFUSAL.body);
const REFUSAL_HEADERS = {
  ...COMMON_HEADERS,
  ...REFUSAL.headers,
  "content-length": Buffer.byteLength(REFUSAL_BODY),
  "x-request-id": "none",
};

const SHORT_BODY_BYTES = 64 * 1_024;

/** Node reads the rest of a body before it serves the connection's next request. A long one is not worth that. */
const hasLongBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > SHORT_BODY_BYTES;

const places = new WeakMap<ServerResponse, () => void>();

/** A reply that clients may read slowly is bounded elsewhere (send-buffers.ts), and leaves its place to other requests. */
export function leavePlace(response: ServerResponse): void {
  places.get(response)?.();
}

const senders = new WeakMap<ServerResponse, ReturnType<ReturnType<typeof createRecentCallers>>>();

/** The request's caller is known now. The next ones that show the same count as theirs. */
export function callerAuthenticated(response: ServerResponse, caller: string): void {
  senders.get(response)?.authenticated(caller);
}

/** The listener behind admission control, and a function that counts the connections of a server. */
export function admissionListener(listener: RequestListener, options: AdmissionListenerOptions = {}) {
  const { admission = createAdmission(), onRefused = () => undefined, metrics, transport } = options;
  const senderOf = createRecentCallers(transport);
  metrics?.gauge("requestsInFlight", () => admission.state().inFlight);
  metrics?.gauge("requestsWaiting", () => admission.state().waiting);
  metrics?.gauge("concurrencyLimit", () => admission.state().limit);
  let reportedAt = 0;

  function report(): void {
    if (performance.now() - reportedAt < REPORT_MS) return;
    const requests = admission.takeRefused();
    if (requests === 0) return;
    reportedAt = performance.now();
    onRefused(requests);
  }

  const loop = watchLoop({
    isIdle: admission.isIdle,
    onSample: (delayMs) => metrics?.observe("loopDelay", delayMs / 1_000),
    report(sample) {
      admission.observe(sample);
      report();
    },
  });

  function apply(request: IncomingMessage, response: ServerResponse): void {
    const sender = senderOf(request);
    const { caller } = sender;
    senders.set(response, sender);
    const applicant = {
      caller,
      admit() {
        response.off("close", leave);
        const admitted = admission.begin(caller);
        places.set(response, admitted.leave);
        response.once("close", admitted.finish);
        listener(request, response);
      },
      refuse() {
        response.off("close", leave);
        metrics?.add("requestsRefused", "admission");
        const headers = hasLongBody(request) ? { ...REFUSAL_HEADERS, connection: "close" } : REFUSAL_HEADERS;
        response.writeHead(REFUSAL.status ?? 503, headers).end(REFUSAL_BODY);
      },
    };
    const leave = () => admission.leave(applicant);
    response.once("close", leave);
    admission.apply(applicant);
    loop.wake();
  }

  return {
    listener(request: IncomingMessage, response: ServerResponse): void {
      if (isExempt(request)) listener(request, response);
      else apply(request, response);
    },
    watch(server: Server): void {
      server.on("connection", (socket) => socket.once("close", admission.connect()));
    },
  };
}

const utilizationOf = performance.eventLoopUtilization.bind(performance);

const SAMPLE_MS = 10;
/** A time, and no number of samples: a slow loop has few of them, and needs an answer the most. */
const REPORT_AFTER_MS = 50;

interface WatchOptions {
  readonly isIdle: () => boolean;
  readonly onSample: (delayMs: number) => void;
  readonly report: (sample: LoopSample) => void;
}

/**
 * Measures how late timers are, which is how long the event loop takes for one turn, and reports the mean of a few
 * samples, and how busy the loop was meanwhile. It runs while `isIdle` is false: a service without requests is not woken.
 */
function watchLoop({ isIdle, onSample, report }: WatchOptions) {
  let timer: NodeJS.Timeout | undefined;
  let expected = 0;
  let lateness: number[] = [];
  let since = 0;
  let before = utilizationOf();

  function sample(): void {
    const at = performance.now();
    const late = Math.max(0, at - expected);
    lateness.push(late);
    onSample(late);
    if (at - since >= REPORT_AFTER_MS) {
      const { utilization } = utilizationOf(utilizationOf(), before);
      report({ delayMs: lateness.reduce((sum, ms) => sum + ms, 0) / lateness.length, utilization });
      begin();
    }
    timer = undefined;
    if (!isIdle() || lateness.length > 0) schedule();
  }

  function begin(): void {
    since = performance.now();
    before = utilizationOf();
    lateness = [];
  }

  function schedule(): void {
    expected = performance.now() + SAMPLE_MS;
    timer = setTimeout(sample, SAMPLE_MS).unref();
  }

  return {
    /** A request is there. */
    wake(): void {
      if (timer !== undefined) return;
      begin();
      schedule();
    },
  };
}
