// `fetch` with a connection of its own for every request. A service closes a connection that was idle for five seconds. On
// a busy machine a client may not notice in time, send its next request on that connection, and fail with ECONNRESET.

export const fetchWithoutKeepAlive: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("connection", "close");
  return fetch(input, { ...init, headers });
};
