// "Try it": fills in an operation, sends it with the caller's own session, and shows the reply. What cannot be undone is
// asked for first.
import { useEffect, useRef, useState } from "react";
import { paths, type RouteName } from "#contract/paths.ts";
import { fetchInTenant, queryClient } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { type CallInput, filled } from "#web/code/call.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import type { Operation } from "#web/pages/docs/reference/openapi-document.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button, Form } from "#web/ui/form.tsx";
import { ProblemNote, RequestId, StatusMark } from "#web/ui/status.tsx";
import { CodeBlock, Monospace } from "#web/ui/text.tsx";
import {
  bodyFault,
  draftOf,
  missingParameter,
  parameterFault,
  shownParams,
  type TryDraft,
  TryFields,
  typedIn,
} from "./try-fields.tsx";

export function TryIt({ operation, mayCall }: { readonly operation: Operation; readonly mayCall: boolean }) {
  const [draft, setDraft] = useState<TryDraft>(() => draftOf(operation));
  const [showsMissing, setShowsMissing] = useState(false);
  const [asksFirst, setAsksFirst] = useState(false);
  const [reply, setReply] = useState<TriedReply>();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const fault = bodyFault(operation, draft);
  const isFaulty =
    fault !== undefined ||
    operation.parameters.some((parameter) => parameterFault(parameter, typedIn(parameter, draft)) !== undefined);
  const consequence = consequenceOf(operation.id);
  const { method, path, body } = operation;

  async function send(): Promise<void> {
    setAsksFirst(false);
    setError(undefined);
    setReply(undefined);
    setSending(true);
    const controller = new AbortController();
    sending.current = controller;
    const sent =
      body !== undefined && draft.body.trim() !== "" ? { mediaType: body.mediaType, text: draft.body } : undefined;
    try {
      await sendTry(
        { method, path, params: draft.params, query: draft.query, body: sent },
        controller.signal,
        setReply,
      );
      if (method !== "GET") void queryClient.invalidateQueries();
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure);
    }
    setSending(false);
  }

  function submit(form: HTMLFormElement): void {
    if (isFaulty || isSending) return;
    const missing = missingParameter(operation, draft);
    setShowsMissing(missing !== undefined);
    if (missing !== undefined) form.querySelector<HTMLElement>(`[name=${missing.name}]`)?.focus();
    else if (consequence === undefined) void send();
    else setAsksFirst(true);
  }

  return (
    <section aria-label="Try it" className="rounded-lg border border-line bg-card px-4 py-4 sm:px-5">
      <h4 className="mb-3 font-medium text-sm">Try it</h4>
      {!isTriable(operation.id) && <p className="text-soft text-sm">Use the app to sign in and out.</p>}
      {isTriable(operation.id) && !mayCall && (
        <p className="text-soft text-sm">Your role may not call this operation.</p>
      )}
      {isTriable(operation.id) && mayCall && (
        <Form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <TryFields {...{ operation, draft, fault, showsMissing }} onChange={setDraft} />
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" look="primary" busy={isSending || isFaulty}>
              {isSending ? "Sending …" : consequence === undefined ? "Send" : "Send …"}
            </Button>
            {isSending && <Button onClick={() => sending.current?.abort()}>Stop</Button>}
          </div>
          {isRoute(operation.id) && !isFaulty && <AsCode route={operation.id} input={inputOf(draft)} />}
        </Form>
      )}
      <div className="mt-4 empty:hidden">
        {error !== undefined && <ProblemNote error={error} />}
        {reply !== undefined && <TryReply reply={reply} />}
      </div>
      <Dialog open={asksFirst} onClose={() => setAsksFirst(false)} title="Send this request?">
        <p className="break-words font-mono text-sm">
          {method} {path}
        </p>
        <p className="mt-3">{consequence}</p>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" onClick={() => void send()}>
            Send
          </Button>
          <Button onClick={() => setAsksFirst(false)}>Cancel</Button>
        </div>
      </Dialog>
    </section>
  );
}

const isRoute = (id: string): id is RouteName => Object.hasOwn(paths, id);

/** The body as far as it can be read; text that is no JSON yet is left out. */
function inputOf(draft: TryDraft): CallInput {
  const { query, body } = draft;
  let parsed: unknown;
  try {
    parsed = body.trim() === "" ? undefined : JSON.parse(body);
  } catch {
    parsed = undefined;
  }
  return { params: shownParams(draft), query, ...(parsed !== undefined && { body: parsed }) } as CallInput;
}

// What the reader is told before a request is sent that cannot be undone.
const FORGETS = "What it forgets is gone for good, everywhere.";
const PUBLISHES = "An anchored receipt is public, and cannot be taken back.";

const CONSEQUENCES: ReadonlyMap<string, string> = new Map([
  ["forgetMemory", FORGETS],
  ["forgetMemories", FORGETS],
  ["forgetByKey", FORGETS],
  ["resetDemo", "It deletes every memory, and restores the demo data and its policy."],
  ["importRecords", "It adds all records of the export, and may replace the policy."],
  ["putNamespace", "It replaces all settings of the namespace. Encrypting it forgets its unencrypted memories."],
  ["revokeKey", "The key ends at once, with its sessions and streams."],
  ["rotateKey", "The old secret of the key ends at once, unless you give it a grace period."],
  ["anchorReceipt", PUBLISHES],
  ["anchorOnChain", PUBLISHES],
]);

/** Undefined when the request needs no second thought. */
const consequenceOf = (operationId: string): string | undefined => CONSEQUENCES.get(operationId);

const SESSION_OPERATIONS: ReadonlySet<string> = new Set(["signIn", "signOut"]);

/** The app follows its own session only when it changes it itself. */
const isTriable = (operationId: string): boolean => !SESSION_OPERATIONS.has(operationId);

/** The status, the headers that say something of the call, the time that it took, and the body. */
function TryReply({ reply }: { readonly reply: TriedReply }) {
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

interface TriedReply {
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
async function sendTry(attempt: Attempt, signal: AbortSignal, onReply: (reply: TriedReply) => void): Promise<void> {
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
