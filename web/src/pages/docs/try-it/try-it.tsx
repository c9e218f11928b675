// "Try it": fills in an operation, sends it with the caller's own session, and shows the reply. What cannot be undone is
// asked for first.
import { useEffect, useRef, useState } from "react";
import { paths, type RouteName } from "#contract/paths.ts";
import { orUndefined } from "#core/defined.ts";
import { fetchInTenant, queryClient } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { type CallInput, filled } from "#web/code/call.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import type { Operation } from "#web/pages/docs/reference/openapi-document.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Button, Form } from "#web/ui/form.tsx";
import { ProblemNote, RequestId, StatusMark } from "#web/ui/status.tsx";
import { CodeBlock, Facts, Monospace } from "#web/ui/text.tsx";
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
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const fault = bodyFault(operation, draft);
  const isFaulty =
    fault !== undefined ||
    operation.parameters.some((parameter) => parameterFault(parameter, typedIn(parameter, draft)) !== undefined);
  const consequence = CONSEQUENCES.get(operation.id);
  const { method, path } = operation;
  // The app follows its own session only when it changes it itself.
  const isOfSession = operation.id === "signIn" || operation.id === "signOut";
  const refusal = isOfSession ? "Use the app to sign in and out." : mayCall ? undefined : NOT_ALLOWED;

  const trying = useMutation({
    async mutationFn() {
      setAsksFirst(false);
      setReply(undefined);
      sending.current = new AbortController();
      const { signal } = sending.current;
      await sendTry(operation, draft, signal, setReply).catch((failure) => {
        if (!signal.aborted) throw failure;
      });
      if (method !== "GET") void queryClient.invalidateQueries();
    },
  });
  const { isPending: isSending, error } = trying;

  function submit(form: HTMLFormElement): void {
    if (isFaulty || isSending) return;
    const missing = missingParameter(operation, draft);
    setShowsMissing(missing !== undefined);
    if (missing !== undefined) form.querySelector<HTMLElement>(`[name=${missing.name}]`)?.focus();
    else if (consequence === undefined) trying.mutate();
    else setAsksFirst(true);
  }

  return (
    <section aria-label="Try it" className="rounded-lg border border-line bg-card px-4 py-4 sm:px-5">
      <h4 className="mb-3 font-medium text-sm">Try it</h4>
      {refusal !== undefined && <p className="text-soft text-sm">{refusal}</p>}
      {refusal === undefined && (
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
        {error !== null && <ProblemNote error={error} />}
        {reply !== undefined && <TryReply reply={reply} />}
      </div>
      {asksFirst && (
        <ActionDialog
          title="Send this request?"
          action={["Send", "Sending …"]}
          run={async () => trying.mutate()}
          onClose={() => setAsksFirst(false)}
          lede={<span className="break-words font-mono text-sm">{`${method} ${path}`}</span>}
        >
          <p className="mt-3">{consequence}</p>
        </ActionDialog>
      )}
    </section>
  );
}

export const isRoute = (id: string): id is RouteName => Object.hasOwn(paths, id);

/** The body as far as it can be read; text that is no JSON yet is left out. */
function inputOf(draft: TryDraft): CallInput {
  const body: unknown = orUndefined(() => JSON.parse(draft.body));
  return { params: shownParams(draft), query: draft.query, ...(body !== undefined && { body }) } as CallInput;
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

const NOT_ALLOWED = "Your role may not call this operation.";

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
      <Facts
        rows={Object.fromEntries(headers)}
        row="flex flex-wrap gap-x-2"
        className="break-words font-mono text-xs empty:hidden"
      />
      {text !== "" && <CodeBlock label="the reply" text={isJson ? pretty(text) : text} />}
      {end === "cut" && <p className="text-soft text-xs">The reply is longer. It was cut here.</p>}
    </div>
  );
}

const pretty = (text: string): string => orUndefined(() => JSON.stringify(JSON.parse(text), null, 2)) ?? text;

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
async function sendTry(
  { method, path, body }: Operation,
  draft: TryDraft,
  signal: AbortSignal,
  onReply: (reply: TriedReply) => void,
): Promise<void> {
  const started = performance.now();
  const sent = body !== undefined && draft.body.trim() !== "";
  const response = await fetchInTenant(BASE_PATH + filled(path, draft), {
    method,
    signal,
    ...(sent && { body: draft.body, headers: { "content-type": body.mediaType } }),
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
