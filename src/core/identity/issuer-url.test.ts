import { expect, test } from "vitest";
import { isTrustworthyUrl } from "./issuer-url.ts";

test.for([
  "https://id.example.test",
  "https://id.example.test/realm",
  "http://127.0.0.1:8080/x",
  "http://localhost",
  "http://[::1]:1",
])("keys may be fetched from %s", (url) => expect(isTrustworthyUrl(url)).toBe(true));

test.for([
  "http://id.example.test",
  "http://127.0.0.1.evil.test",
  "ftp://127.0.0.1",
  "https://u:p@id.test",
  "id.test",
  "file:///x",
])("keys are not fetched from %s", (url) => expect(isTrustworthyUrl(url)).toBe(false));
