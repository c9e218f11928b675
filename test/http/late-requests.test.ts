// A connection that was opened in advance, as browsers do, and on which no request came in time.
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { endConnection } from "#http/server.ts";

test.for([
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
  ["HPE_INVALID_METHOD", "400 Bad Request"],
])("after %s a connection ends with %s", async ([code, status]) => {
  const server = createServer((socket) => endConnection(Object.assign(new Error(), { code }), socket));
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  expect((await text(client)).split("\r\n")).toEqual(
    expect.arrayContaining([`HTTP/1.1 ${status}`, "Connection: close"]),
  );
});
