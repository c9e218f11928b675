const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a Host names this machine. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);

/** Where a client with credentials sees us. Off loopback they travel over TLS only, also when a proxy ends it. */
export function secureOrigin(request: Request): string {
  const { origin, host } = new URL(request.url);
  return isLoopbackHost(host) ? origin : `https://${host}`;
}
