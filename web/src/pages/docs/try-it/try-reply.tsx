import { fetchInTenant } from "#web/api/client.ts";
import { filled } from "#web/code/call.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { RequestId, StatusMark } from "#web/ui/status.tsx";
import { CodeBlock, Monospace } from "#web/ui/text.tsx";

/** The status, the headers that say something of the call, the time that it took, and the body. */
export function TryReply({ reply }: { readonly reply: TriedReply }) {
  const { status, statusText, ms, requestId, headers, text, isJson, end } = reply;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <StatusMark status={status < 400 ? "pass" : "fail"}>
          <span className="text-sm">
            {status} {statusText}
          </span>
        </StatusMark>
        <span className="text-soft text-xs">
          <Monospace>{ms}</Monospace> ms
        </span>
        {requestId !== undefined && (
          <span className="text-soft text-xs">
            <RequestId requestId={requestId} />
          </span>
        )}
      </p>
      {headers.length > 0 && (
        <dl className="flex flex-col gap-0.5 text-xs">
          {headers.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="font-mono text-soft">{name}</dt>
              <dd className="min-w-0 break-words font-mono">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {text !== "" && <CodeBlock label="the reply" text={isJson ? pretty(text) : text} />}
      {end === "cut" && <p className="text-soft text-xs">The reply is longer. It was cut here.</p>}
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface Attempt {
  readonly method: string;
  /** With `{name}` for its parameters. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: { readonly mediaType: string; readonly text: string } | undefined;
}

export interface TriedReply {
  readonly status: number;
  readonly statusText: string;
  /** Until the head of the reply was there. */
  readonly ms: number;
  readonly requestId: string | undefined;
  /** Those of the headers that say something of the call. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly isJson: boolean;
  /** The reply goes on: it was cut here, or is still coming. */
  readonly end: "complete" | "cut" | "coming";
}

const SHOWN_HEADERS = ["content-type", "ratelimit", "ratelimit-policy", "retry-after", "allow", "www-authenticate"];
/** An export or a feed has no end that a page could show. */
const MOST_CHARACTERS = 200_000;

/** `onReply` is told of the reply whenever more of it has come. Rejects when there is none. */
export async function sendTry(
  attempt: Attempt,
  signal: AbortSignal,
  onReply: (reply: TriedReply) => void,
): Promise<void> {
  const { method, path, params, query, body } = attempt;
  const started = performance.now();
  const response = await fetchInTenant(BASE_PATH + filled(path, { params, query }), {
    method,
    signal,
    ...(body !== undefined && { body: body.text, headers: { "content-type": body.mediaType } }),
  });
  const head = {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - started),
    requestId: response.headers.get("x-request-id") ?? undefined,
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    isJson: /json$/.test(response.headers.get("content-type")?.split(";")[0] ?? ""),
  };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done = true, value = "" } = (await reader?.read()) ?? {};
      text += value;
      if (done) return onReply({ ...head, text, end: "complete" });
      if (text.length > MOST_CHARACTERS) {
        await reader?.cancel();
        return onReply({ ...head, isJson: false, text: text.slice(0, MOST_CHARACTERS), end: "cut" });
      }
      onReply({ ...head, isJson: false, text, end: "coming" });
    }
  } catch {
    // The reader stopped it, or the connection broke.
    onReply({ ...head, isJson: false, text, end: "cut" });
  }
}
