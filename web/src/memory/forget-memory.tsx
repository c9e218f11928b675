// The button that forgets a memory, and the dialog that says first what happens and what does not.
import { useState } from "react";
import { LONGEST_REASON } from "#core/tombstone.ts";
import { client, invalidate } from "#web/api/client.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { TextField } from "#web/ui/form.tsx";
import { Name } from "#web/ui/text.tsx";
import { type Forgotten, type ListedMemory, markForgotten } from "./listed-memory.ts";

interface ForgetMemoryProps {
  readonly memory: ListedMemory;
  /** Called with the service’s answer before the memory is marked as forgotten, and this button is gone. */
  readonly onForget: (forgotten: Forgotten) => void;
  /** With it the dialog is open at once, and there is no button. */
  readonly onClose?: () => void;
}

export function ForgetMemory({ memory, onForget, onClose }: ForgetMemoryProps) {
  const { mayRemove } = usePermissions();
  const [text, setText] = useState("");
  const { memoryId } = memory;
  const reason = text.trim() === "" ? {} : { reason: text.trim() };
  if (!mayRemove(memory)) return null;
  return (
    <ActionDialog
      button={onClose === undefined ? "Forget …" : undefined}
      onClose={onClose}
      title="Forget this memory?"
      action={["Forget", "Forgetting …"]}
      run={() => client.forgetMemory({ memoryId }, reason)}
      onDone={(answer) => {
        onForget(answer);
        markForgotten(new Map([[memoryId, answer]]));
        invalidate("overview", "receipts");
      }}
      code={<AsCode route="forgetMemory" input={{ params: { memoryId }, query: reason }} />}
    >
      <Consequences memory={memory} />
      <TextField
        label="Reason (optional)"
        hint="It stays in the tombstone, which others may read. Do not quote the memory."
        className="mt-5"
        value={text}
        maxLength={LONGEST_REASON}
        autoComplete="off"
        onChange={setText}
      />
    </ActionDialog>
  );
}

function Consequences({ memory: { content, namespace, encrypted } }: { readonly memory: ListedMemory }) {
  const isOnWalrus = useServiceInfo().data?.blobs.aggregator !== "";
  return (
    <>
      <blockquote dir="auto" className="untrusted line-clamp-3 border-line border-l-2 pl-3 font-serif">
        {content}
      </blockquote>
      <h3 className="mt-4 font-medium text-sm">What happens</h3>
      <ul className={LIST}>
        <li>It takes effect at once and cannot be undone. No answer, list or search shows it any more.</li>
        <li>
          A signed tombstone stays: its id, the namespace <Name>{namespace}</Name>, who forgot it, when and why.
        </li>
        {encrypted && <li>Its encryption key is destroyed. Only an earlier backup or export can decrypt its blob.</li>}
      </ul>
      <h3 className="mt-3 font-medium text-sm">What it does not undo</h3>
      <ul className={LIST}>
        <li>Public receipts keep what they quote of it. Afterwards you see how many.</li>
        {!encrypted && (
          <li>Its blob id stays in receipts. Somebody who guesses the text can check the guess with it.</li>
        )}
        {!encrypted && isOnWalrus && (
          <li>Walrus keeps its public blob until its epochs end. Afterwards you see until when.</li>
        )}
      </ul>
    </>
  );
}

const LIST = "mt-1 flex list-disc flex-col gap-1 pl-5 text-sm";
