// The form of a namespace's settings. To encrypt it is asked for twice: that forgets its superseded memories.

import { useState } from "react";
import type { Body, Reply } from "#contract/routes.ts";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import { client, invalidate } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { daysFault } from "#web/pages/memories/capture/capture-draft.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button, Checkbox, Form, TextArea, TextField } from "#web/ui/form.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";

interface NamespaceSettingsProps {
  readonly name: string;
  /** Undefined when it has neither memories nor settings. */
  readonly namespace: NamespaceEntry | undefined;
}

export function NamespaceSettings({ name, namespace }: NamespaceSettingsProps) {
  const [draft, setDraft] = useState(() => draftOf(namespace));
  const [faults, setFaults] = useState<SettingsFaults>({});
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
      <Checkbox checked={draft.encrypted} onChange={({ target }) => setDraft({ ...draft, encrypted: target.checked })}>
        Encrypt its memories
      </Checkbox>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" busy={put.isPending}>
          {put.isPending ? "Saving …" : "Save settings"}
        </Button>
        <span role="status" className="empty:hidden">
          {put.isSuccess && <StatusMark status="pass">Saved.{encryptionText(put.data.encryption)}</StatusMark>}
        </span>
      </div>
      <AsCode route="putNamespace" input={{ params: { name }, body: requestOf(draft) }} />
      {put.error !== null && <ProblemNote error={put.error} />}
      <Dialog open={asksToEncrypt} onClose={() => setAsksToEncrypt(false)} title="Encrypt this namespace?">
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
          <li>Its memories are captured again, encrypted. The unencrypted ones are forgotten.</li>
          <li>Superseded memories are forgotten.</li>
          <li>Blobs that somebody copied, and public receipts that quote them, stay public.</li>
        </ul>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" busy={put.isPending} onClick={() => put.mutate()}>
            {put.isPending ? "Encrypting …" : "Encrypt"}
          </Button>
          <Button onClick={() => setAsksToEncrypt(false)}>Cancel</Button>
        </div>
      </Dialog>
    </Form>
  );
}

function encryptionText(encryption: Awaited<ReturnType<typeof client.putNamespace>>["encryption"]): string {
  if (encryption === undefined) return "";
  const done = ` ${plural(encryption.encrypted, "memory", "memories")} encrypted`;
  return encryption.done ? `${done}.` : `${done}; the rest follows in the background.`;
}

export type NamespaceEntry = Reply<"getNamespace">["namespace"];

interface SettingsDraft {
  readonly description: string;
  /** How many days memories are kept; empty: without an end. */
  readonly days: string;
  readonly encrypted: boolean;
}

const DAY_SECONDS = 86_400;

/** What the form of a namespace's settings holds, what is wrong with it, and the request that it becomes. */
const draftOf = (namespace: NamespaceEntry | undefined): SettingsDraft => ({
  description: namespace?.description ?? "",
  days: namespace?.retentionSeconds === undefined ? "" : String(namespace.retentionSeconds / DAY_SECONDS),
  encrypted: namespace?.encrypted ?? false,
});

interface SettingsFaults {
  readonly description?: string | undefined;
  readonly days?: string | undefined;
}

function faultsOf({ description, days }: SettingsDraft): SettingsFaults {
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
