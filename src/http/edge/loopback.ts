const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Whether a Host names this machine. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);
