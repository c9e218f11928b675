// `fetch` with a connection of its own for every request. A service that stops, or a client that
// was idle for some seconds, closes the connection. On a busy machine the other may not notice in time, and the next request
// fails with ECONNRESET.

export const fetchWithoutKeepAlive: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("connection", "close");
  return fetch(input, { ...init, headers });
};
