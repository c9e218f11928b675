import type { ServerResponse } from "node:http";

/** From `begin` on, each response is the last one on its connection, so that no client sends another one into its end. */
export function createLastResponses() {
  const inFlight = new Set<ServerResponse>();
  let hasBegun = false;
  const mark = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close");
  };
  return {
    add(response: ServerResponse): void {
      if (hasBegun) {
        mark(response);
        return;
      }
      inFlight.add(response);
      response.once("close", () => inFlight.delete(response));
    },
    begin(): void {
      hasBegun = true;
      for (const response of inFlight) mark(response);
      inFlight.clear();
    },
  };
}
