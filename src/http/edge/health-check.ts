/** The paths for whoever runs the service. */
export const LIVE_PATH = "/livez";
export const READY_PATH = "/readyz";

/** What HAProxy sends when it is told no more than `option httpchk`: `OPTIONS / HTTP/1.0`, without a Host. */
const HAPROXY_CHECK = { method: "OPTIONS", path: "/" } as const;

const METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request asks how the service is, and for nothing else. */
export function isHealthCheck(method: string, path: string): boolean {
  if (path === HAPROXY_CHECK.path) return method === HAPROXY_CHECK.method;
  return METHODS.has(method) && (path === LIVE_PATH || path === READY_PATH);
}
