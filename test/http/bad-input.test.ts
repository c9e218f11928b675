// Values that are not valid: each is refused with a problem that points to the field, and changes nothing.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectProblem,
  type Field,
  FLAGS,
  GOOD_BODIES,
  LISTS,
  NAMES,
  RECEIPT_STRINGS,
  RULES,
  spoiled,
  TEXTS,
} from "#test/support/bodies.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { changingNothing, type Service, startService } from "#test/support/service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function expectRefused(field: Field, ...values: readonly unknown[]): Promise<void> {
  await changingNothing(service, async () => {
    for (const value of values) {
      const answer = await post(`${service.url}${field[0]}`, spoiled(field, value));
      expectProblem(answer, 400, "invalid-request", `#${field[1]}`);
    }
  });
}

const BAD_NAMES = {
  empty: "",
  "of 65 characters": "n".repeat(65),
  "of 65 characters beyond the first plane": "🌿".repeat(65),
  "with a line end": "a\nb",
  "with a null character": "a\u0000b",
  "with a C1 control character": "a\u0085b",
  "with DEL": "a\u007fb",
  "with a high surrogate alone": "a\ud800",
  "with a low surrogate alone": "\udfffa",
  "with surrogates the wrong way round": "\udc00\ud800",
  "not in NFC": "cafe\u0301",
  "with a compatibility singleton that NFC replaces": "\u212b",
  "with a space in front": " diet",
  "with a space behind": "diet ",
  "with a no-break space behind": "diet\u00a0",
  "with a byte order mark in front": "\ufeffdiet",
  "of nothing but a space": " ",
};

describe.for(NAMES)("At %s, the name %s", ([path, pointer]) => {
  for (const [fault, name] of Object.entries(BAD_NAMES)) {
    test(`is refused: ${fault}`, () => expectRefused([path, pointer], name));
  }
});

const BAD_TEXTS = {
  empty: "",
  "nothing but white space": " \n\t ",
  "with a null character": "a\u0000b",
  "with an escape character": "a\u001b[31mb",
  "with a C1 control character": "a\u009bb",
  "with a high surrogate alone": "dinner \ud83c",
  "with a low surrogate alone": "\udf3f dinner",
};

describe.for(TEXTS)("At %s, the text %s", ([path, pointer, limit]) => {
  for (const [fault, text] of Object.entries(BAD_TEXTS)) {
    test(`is refused: ${fault}`, () => expectRefused([path, pointer], text));
  }
  test("is refused when it is too long, in characters of any size", () =>
    expectRefused([path, pointer], "x".repeat(limit + 1), "é".repeat(limit + 1)));
});

const STRINGS: readonly Field[] = [...NAMES, ...TEXTS.map(([path, at]): Field => [path, at]), ...RECEIPT_STRINGS];

describe("Missing fields and wrong types", () => {
  test.for(
    [...STRINGS, ...RULES, ...FLAGS, ...LISTS].filter(([, pointer]) => !pointer.endsWith("blockedNamespaces/0")),
  )("at %s, %s may not be missing", (field) => expectRefused(field, undefined));

  test.for(STRINGS)("at %s, %s must be a string", (field) =>
    expectRefused(field, 0, 1.5, true, null, [], ["diet"], {}, { toString: "diet" }),
  );

  test.for([...FLAGS, ...RULES])("at %s, %s must be true or false", (field) =>
    expectRefused(field, "false", "true", "null", "", 0, 1, [], {}, ...(FLAGS.includes(field) ? [null] : [])),
  );

  test.for(LISTS)("at %s, %s must be a list", (field) =>
    expectRefused(field, "diet", 0, null, true, {}, { length: 0 }),
  );

  test.for([...Object.keys(GOOD_BODIES), "/api/reset"])("a body of %s must be an object", async (path) => {
    await changingNothing(service, async () => {
      for (const body of ["[]", '"text"', "0", "null", "true", "[{}]"])
        expectProblem(await post(`${service.url}${path}`, body), 400, "invalid-request", "#");
    });
  });

  test("every field at fault is pointed to", async () => {
    const answer = await post(`${service.url}/api/policy`, { agentId: "", namespace: 7 });
    expect(problemIn(answer).errors?.map(({ pointer }) => pointer)).toEqual(["#/agentId", "#/namespace", "#/allowed"]);
  });
});

describe("Pages", () => {
  test.for(["0", "-1", "1.5", "1001", "abc", "", "NaN", "Infinity", "1e400", "5;drop", "99999999999999999999"])(
    "a limit of '%s' is refused",
    async (limit) => expectBadParameter("limit", limit),
  );

  test.for(["", "0", "-1", "1.5", "abc", "01", "1e3", "12345678901234567", "' OR 1=1", "null"])(
    "a cursor of '%s' is refused",
    async (cursor) => expectBadParameter("cursor", cursor),
  );

  async function expectBadParameter(parameter: string, value: string): Promise<void> {
    const answer = await send(`${service.url}/api/memories?${new URLSearchParams({ [parameter]: value })}`);
    expectProblem(answer, 400, "invalid-request");
    expect(new Set(problemIn(answer).errors?.map((fault) => fault.parameter))).toEqual(new Set([parameter]));
  }
});

test.for(Object.entries(GOOD_BODIES))("The unspoiled body for %s is accepted", async ([path, body]) => {
  const own = await startService();
  try {
    expect((await post(`${own.url}${path}`, body)).status).toBe(200);
  } finally {
    await own.stop();
  }
});
