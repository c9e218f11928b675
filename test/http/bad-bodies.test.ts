// Bodies that are not JSON, too large or too deeply nested, at every route that takes one.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem, GOOD_BODIES, RECEIPT } from "#test/support/bodies.ts";
import { connectTo, post, send } from "#test/support/send.ts";
import { changingNothing, type Service, startService } from "#test/support/service.ts";

const LIMIT = 64 * 1024;
/** The longest receipt fits, and the longest batch of rules. */
const LARGE_LIMIT = 1024 * 1024;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ROUTES: readonly (readonly [path: string, good: string])[] = [
  ...Object.entries(GOOD_BODIES).map(([path, body]) => [path, JSON.stringify(body)] as const),
  ["/api/reset", "{}"],
];

const deep = (levels: number, open: string, inside: string, close: string) =>
  `${open.repeat(levels)}${inside}${close.repeat(levels)}`;

describe.for(ROUTES)("POST %s refuses", ([path, good]) => {
  const refused = (body: string | Uint8Array, status: number, code: string, headers = {}) =>
    changingNothing(service, async () =>
      expectProblem(await post(`${service.url}${path}`, body, headers), status, code),
    );
  const limit = /^\/api\/(?:anchor|policy\/batch)/.test(path) ? LARGE_LIMIT : LIMIT;
  const withField = (value: string) => `${good.slice(0, -1)}${good === "{}" ? "" : ","}"extra":${value}}`;

  const MALFORMED = {
    "half a body": good === "{}" ? "{" : good.slice(0, -1),
    "something after the end": `${good}x`,
    "two values": `${good}${good}`,
    "a comma before the end": withField("1,"),
    "single quotes": "{'query':'dinner'}",
    "a number that JSON does not have": withField("NaN"),
    "a bare line end in a string": withField('"a\nb"'),
    "a comment": `${good}// a comment`,
    "white space alone": " \n ",
    "a null character": "\u0000",
  };
  for (const [what, body] of Object.entries(MALFORMED)) test(what, () => refused(body, 400, "malformed-json"));

  test("bytes that are not UTF-8", async () => {
    const [before = "", after = ""] = withField('"%"').split("%");
    const bytes = (...middle: number[]) =>
      Buffer.concat([Buffer.from(before), Buffer.from(middle), Buffer.from(after)]);
    await refused(bytes(0xff), 400, "malformed-json");
    await refused(bytes(0xc3), 400, "malformed-json");
    await refused(bytes(0xed, 0xa0, 0x80), 400, "malformed-json"); // A surrogate, encoded as UTF-8.
    await refused(bytes(0xc0, 0xaf), 400, "malformed-json"); // A slash in an overlong encoding.
    await refused(Buffer.from(good, "utf16le"), 400, "malformed-json");
  });

  test.for([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/jsonp",
    "text/plain; application/json",
    "",
  ])("the content type '%s'", (type) => refused(good, 415, "unsupported-media-type", { "content-type": type }));

  test("a body without a content type", () =>
    changingNothing(service, async () => {
      const answer = await send(`${service.url}${path}`, { method: "POST", body: good });
      expectProblem(answer, 415, "unsupported-media-type");
    }));

  test("a body in gzip", async () => {
    const answer = await changingNothing(service, () =>
      post(`${service.url}${path}`, gzipSync(good), { "content-encoding": "gzip" }),
    );
    expect([400, 415]).toContain(answer.status);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });

  test("20,000 levels of nesting within the limit", async () => {
    await refused(deep(20_000, "[", "", "]"), 400, "nesting-too-deep");
    await refused(withField(deep(20_000, "[", "", "]")), 400, "nesting-too-deep");
    await refused(deep(9_000, '{"a":', "1", "}"), 400, "nesting-too-deep");
    await refused("[".repeat(60_000), 400, "nesting-too-deep");
  });

  test("600,000 levels of nesting, because of their size", () =>
    refused(deep(600_000, "[", "", "]"), 413, "body-too-large"));

  test("a body one byte over the limit", async () => {
    const filled = withField(`"${"x".repeat(limit - Buffer.byteLength(withField('""')) + 1)}"`);
    expect(Buffer.byteLength(filled)).toBe(limit + 1);
    await refused(filled, 413, "body-too-large");
  });

  test("a body of 8 MiB, declared", () => refused(Buffer.alloc(8 * 1024 * 1024, " "), 413, "body-too-large"));

  test("a body over the limit that comes in chunks of no declared length", () =>
    changingNothing(service, async () => {
      const body = [good.slice(0, -1), ...Array(200).fill(" ".repeat(limit / 100)), "}"];
      const answer = await send(`${service.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expectProblem(answer, 413, "body-too-large");
    }));

  test("a body that says it is over the limit, before it is sent", () =>
    changingNothing(service, async () => {
      const connection = await connectTo(service.url);
      const head = ["content-type: application/json", "content-length: 10000000000", "connection: close"];
      connection.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head.join("\r\n")}\r\n\r\n`);
      expect(await connection.everything()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"body-too-large"/);
    }));
});

test.for(Object.keys(GOOD_BODIES))("POST %s refuses an empty body", (path) =>
  changingNothing(service, async () => {
    expectProblem(await post(`${service.url}${path}`, ""), 400, "malformed-json");
    expectProblem(await send(`${service.url}${path}`, { method: "POST" }), 400, "malformed-json");
  }),
);

describe("The service accepts", () => {
  test("a body of exactly 64 KiB", async () => {
    const body = JSON.stringify(GOOD_BODIES["/api/companion"]);
    const filled = body + " ".repeat(LIMIT - Buffer.byteLength(body));
    expect((await post(`${service.url}/api/companion`, filled)).status).toBe(200);
    const chunked = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const pieces = [filled.slice(0, 1_000), filled.slice(1_000)];
    const answer = await send(`${service.url}/api/companion`, { method: "POST", headers: chunked, body: pieces });
    expect(answer.status).toBe(200);
  });

  test("any number of brackets inside a string", async () => {
    const query = `${"[".repeat(1_000)}\\"${"{".repeat(1_000)}`;
    expect((await post(`${service.url}/api/companion`, { query })).status).toBe(200);
  });

  test("a receipt with a dozen levels of nesting in an unknown field", async () => {
    const receipt = { ...RECEIPT, trace: JSON.parse(deep(12, '{"a":[', "1", "]}")) };
    expect((await post(`${service.url}/api/anchor`, { receipt })).status).toBe(200);
  });

  test.for(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
    "the content type %s",
    async (type) => {
      const body = GOOD_BODIES["/api/companion"];
      expect((await post(`${service.url}/api/companion`, body, { "content-type": type })).status).toBe(200);
    },
  );
});
