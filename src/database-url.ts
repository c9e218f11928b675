// DATABASE_URL: a URL of PostgreSQL, or the path of an SQLite file. A mistyped URL must not be taken for a path: it would
// become the name of a file, with the password in it. Sentences never quote the text.
import { orUndefined } from "./core/defined.ts";

const EXPECTED = "must be the path of an SQLite file, :memory:, or postgres://user:password@host/database";

export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text);

/** What is wrong with it; undefined if nothing is. */
export function faultOfDatabaseUrl(text: string): string | undefined {
  if (isPostgresUrl(text)) return faultOfPostgresUrl(text);
  if (text === ":memory:" || !looksLikeUrl(text)) return undefined;
  return EXPECTED;
}

/** A scheme (of more than one letter, which would be a drive), a user with a password, or a list of settings. */
function looksLikeUrl(text: string): boolean {
  return (
    /^[^/\\]*[a-z][\w+.-]+:/i.test(text) || /:.*@/s.test(text) || /:\/|\bpass\w*\s*=|^\s*["'`]|[\r\n\0]/i.test(text)
  );
}

/** A password with `/`, `#`, `?` or `%` that is not percent-encoded ends up in the host, the database or an error. */
function faultOfPostgresUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isWhole = url !== null && !/[@#]/.test(`${url.pathname}${url.search}${url.hash}`);
  if (isWhole && isDecodable(url.username) && isDecodable(url.password)) return undefined;
  return "is not a valid URL of PostgreSQL. Percent-encode special characters of user and password, / as %2F for example";
}

const isDecodable = (text: string): boolean => orUndefined(() => decodeURIComponent(text)) !== undefined;
