// "Try it": fills in an operation, sends it with the caller's own session, and shows the reply. What cannot be undone is
// asked for first.
import { type FormEvent, useEffect, useRef, useState } from "react";
import { paths, type RouteName } from "#contract/paths.ts";
import { queryClient } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import type { CallInput } from "#web/code/call.ts";
import type { Operation } from "#web/pages/docs/reference/openapi-document.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
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
import { sendTry, type TriedReply, TryReply } from "./try-reply.tsx";

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

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isFaulty || isSending) return;
    const missing = missingParameter(operation, draft);
    setShowsMissing(missing !== undefined);
    if (missing !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name=${missing.name}]`)?.focus();
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
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <TryFields {...{ operation, draft, fault, showsMissing }} onChange={setDraft} />
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" look="primary" busy={isSending || isFaulty}>
              {isSending ? "Sending …" : consequence === undefined ? "Send" : "Send …"}
            </Button>
            {isSending && <Button onClick={() => sending.current?.abort()}>Stop</Button>}
          </div>
          {isRoute(operation.id) && !isFaulty && <AsCode route={operation.id} input={inputOf(draft)} />}
        </form>
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
