// The button that forgets a memory, and the dialog that says first what happens and what does not.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { LONGEST_REASON } from "#core/tombstone.ts";
import { client, invalidate } from "#web/api/client.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, TextInput } from "#web/ui/form/field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { type ListedMemory, markForgotten } from "./listed-memory.ts";

interface ForgetMemoryProps {
  readonly memory: ListedMemory;
  /** Called before the memory is marked as forgotten, and this button is gone. */
  readonly onForget: () => void;
}

export function ForgetMemory({ memory, onForget }: ForgetMemoryProps) {
  const { mayRemove } = usePermissions();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { memoryId } = memory;
  const forgetting = useMutation({
    mutationFn: () => client.forgetMemory({ memoryId }, reason.trim() === "" ? {} : { reason: reason.trim() }),
    onSuccess(answer) {
      onForget();
      setOpen(false);
      markForgotten(new Map([[memoryId, answer]]));
      invalidate("overview", "receipts");
    },
  });
  if (!mayRemove(memory)) return null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    forgetting.mutate();
  }

  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        Forget …
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Forget this memory?">
        <form onSubmit={submit}>
          <Consequences memory={memory} />
          <Field
            label="Reason (optional)"
            hint="It stays in the tombstone, which others may read. Do not quote what is forgotten."
            className="mt-5"
          >
            {(control) => (
              <TextInput
                {...control}
                value={reason}
                maxLength={LONGEST_REASON}
                autoComplete="off"
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
          {forgetting.error !== null && (
            <div className="mt-4">
              <ProblemNote error={forgetting.error} />
            </div>
          )}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button type="submit" look="primary" busy={forgetting.isPending}>
              {forgetting.isPending ? "Forgetting …" : "Forget"}
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <AsCode
              route="forgetMemory"
              input={{ params: { memoryId }, query: reason.trim() === "" ? {} : { reason: reason.trim() } }}
            />
          </div>
        </form>
      </Dialog>
    </>
  );
}

function Consequences({ memory: { content, namespace, sealed } }: { readonly memory: ListedMemory }) {
  const isOnWalrus = useServiceInfo().data?.blobs.aggregator !== "";
  return (
    <>
      <blockquote dir="auto" className="untrusted line-clamp-3 border-line border-l-2 pl-3 font-serif">
        {content}
      </blockquote>
      <h3 className="mt-4 font-medium text-sm">What happens</h3>
      <ul className={LIST}>
        <li>It takes effect at once, and cannot be undone. It is in no answer, list or search any more.</li>
        <li>
          A signed tombstone stays: its id, the namespace <Name>{namespace}</Name>, who forgot it, when and why.
        </li>
        {sealed && <li>Its key is destroyed. Nobody can open its blob, except with an earlier backup or export.</li>}
      </ul>
      <h3 className="mt-3 font-medium text-sm">What it does not undo</h3>
      <ul className={LIST}>
        <li>Public receipts keep what they quote of it. You are told afterwards how many there are.</li>
        {!sealed && <li>Its blob id stays in receipts. Whoever guesses the text can confirm the guess with it.</li>}
        {!sealed && isOnWalrus && (
          <li>
            Walrus keeps its public blob until its epochs end. It is not renewed. You are told afterwards until when.
          </li>
        )}
      </ul>
    </>
  );
}

const LIST = "mt-1 flex list-disc flex-col gap-1 pl-5 text-sm";
