// The form of a namespace's settings. To encrypt it is asked for twice: that forgets its superseded memories.

import { useState } from "react";
import type { Body, Reply } from "#contract/routes.ts";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import { client, invalidate } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { daysFault } from "#web/pages/memories/capture/capture-draft.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Checkbox, Form, RunButton, TextArea, TextField } from "#web/ui/form.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";

interface NamespaceSettingsProps {
  readonly name: string;
  /** Undefined when it has neither memories nor settings. */
  readonly namespace: NamespaceEntry | undefined;
}

export function NamespaceSettings({ name, namespace }: NamespaceSettingsProps) {
  const [draft, setDraft] = useState(() => draftOf(namespace));
  const [faults, setFaults] = useState<Partial<ReturnType<typeof faultsOf>>>({});
  const [asksToEncrypt, setAsksToEncrypt] = useState(false);
  const put = useMutation({
    mutationFn: () => client.putNamespace({ name }, requestOf(draft)),
    onSuccess() {
      setAsksToEncrypt(false);
      invalidate("namespaces", "memories", "overview");
    },
    onError: () => setAsksToEncrypt(false),
  });
  const encrypts = draft.encrypted && namespace?.encrypted !== true;

  function submit(): void {
    const found = faultsOf(draft);
    setFaults(found);
    if (Object.values(found).some(Boolean)) return;
    if (encrypts) setAsksToEncrypt(true);
    else put.mutate();
  }

  return (
    <>
      <Form noValidate onSubmit={submit} className="measure flex flex-col gap-4">
        <TextArea
          label="What it is for (optional)"
          error={faults.description}
          rows={2}
          value={draft.description}
          onChange={(value) => setDraft({ ...draft, description: value })}
        />
        <TextField
          label="Keep memories for this many days (optional)"
          hint="For new memories without an expiry of their own."
          error={faults.days}
          inputMode="decimal"
          look="max-w-40"
          value={draft.days}
          onChange={(value) => setDraft({ ...draft, days: value })}
        />
        <Checkbox
          checked={draft.encrypted}
          onChange={({ target }) => setDraft({ ...draft, encrypted: target.checked })}
        >
          Encrypt its memories
        </Checkbox>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <RunButton type="submit" of={put} words={["Save settings", "Saving …"]} />
          <span role="status" className="empty:hidden">
            {put.isSuccess && <StatusMark status="pass">Saved.{encryptionText(put.data.encryption)}</StatusMark>}
          </span>
        </div>
        <AsCode route="putNamespace" input={{ params: { name }, body: requestOf(draft) }} />
        {put.error !== null && <ProblemNote error={put.error} />}
      </Form>
      {asksToEncrypt && (
        <ActionDialog
          title="Encrypt this namespace?"
          action={["Encrypt", "Encrypting …"]}
          run={() => put.mutateAsync()}
          onClose={() => setAsksToEncrypt(false)}
        >
          <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
            <li>Its memories are captured again, encrypted. The unencrypted ones are forgotten.</li>
            <li>Superseded memories are forgotten.</li>
            <li>Blobs that somebody copied, and public receipts that quote them, stay public.</li>
          </ul>
        </ActionDialog>
      )}
    </>
  );
}

function encryptionText(encryption: Awaited<ReturnType<typeof client.putNamespace>>["encryption"]): string {
  if (encryption === undefined) return "";
  const done = ` ${plural(encryption.encrypted, "memory", "memories")} encrypted`;
  return encryption.done ? `${done}.` : `${done}; the rest follows in the background.`;
}

export type NamespaceEntry = Reply<"getNamespace">["namespace"];

const DAY_SECONDS = 86_400;

/** What the form of a namespace's settings holds, what is wrong with it, and the request that it becomes. */
const draftOf = (namespace: NamespaceEntry | undefined) => ({
  description: namespace?.description ?? "",
  // Empty: memories are kept without an end.
  days: namespace?.retentionSeconds === undefined ? "" : String(namespace.retentionSeconds / DAY_SECONDS),
  encrypted: namespace?.encrypted ?? false,
});

type SettingsDraft = ReturnType<typeof draftOf>;

function faultsOf({ description, days }: SettingsDraft) {
  return {
    description: description.trim() === "" ? undefined : textFault(description.trim(), LIMITS.description),
    days: days.trim() === "" ? undefined : daysFault(days),
  };
}

/** Of a draft without faults. A PUT replaces all settings, so one that is left out ends. */
function requestOf({ description, days, encrypted }: SettingsDraft): Body<"putNamespace"> {
  return {
    ...(description.trim() !== "" && { description: description.trim() }),
    ...(days.trim() !== "" &&
      Number.isFinite(Number(days)) && { retentionSeconds: Math.round(Number(days) * DAY_SECONDS) }),
    encrypted,
  };
}
