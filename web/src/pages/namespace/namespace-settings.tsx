// The form of a namespace's settings. To seal is asked for twice: it encrypts what is there, and forgets its history.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client, invalidate } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/plural.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Checkbox, Field, TextArea, TextInput } from "#web/ui/form/field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { draftOf, faultsOf, type NamespaceEntry, requestOf, type SettingsFaults } from "./settings-draft.ts";

interface NamespaceSettingsProps {
  readonly name: string;
  /** Undefined when it has neither memories nor settings. */
  readonly namespace: NamespaceEntry | undefined;
}

export function NamespaceSettings({ name, namespace }: NamespaceSettingsProps) {
  const [draft, setDraft] = useState(() => draftOf(namespace));
  const [faults, setFaults] = useState<SettingsFaults>({});
  const [asksToSeal, setAsksToSeal] = useState(false);
  const put = useMutation({
    mutationFn: () => client.putNamespace({ name }, requestOf(draft)),
    onSuccess() {
      setAsksToSeal(false);
      invalidate("namespaces", "memories", "overview");
    },
    onError: () => setAsksToSeal(false),
  });
  const seals = draft.sealed && namespace?.sealed !== true;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const found = faultsOf(draft);
    setFaults(found);
    if (Object.values(found).some(Boolean)) return;
    if (seals) setAsksToSeal(true);
    else put.mutate();
  }

  return (
    <form noValidate onSubmit={submit} className="measure flex flex-col gap-4">
      <Field label="What it is for (optional)" error={faults.description}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={draft.description}
            onChange={({ target }) => setDraft({ ...draft, description: target.value })}
          />
        )}
      </Field>
      <Field
        label="Keep memories for so many days (optional)"
        hint="For memories that are captured from then on, and do not say it themselves."
        error={faults.days}
      >
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            className="max-w-40"
            value={draft.days}
            onChange={({ target }) => setDraft({ ...draft, days: target.value })}
          />
        )}
      </Field>
      <Checkbox checked={draft.sealed} onChange={({ target }) => setDraft({ ...draft, sealed: target.checked })}>
        Sealed: encrypt its memories
      </Checkbox>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" look="primary" busy={put.isPending}>
          {put.isPending ? "Saving …" : "Save settings"}
        </Button>
        <span role="status" className="empty:hidden">
          {put.isSuccess && <StatusMark status="pass">Saved.{sealingText(put.data.sealing)}</StatusMark>}
        </span>
      </div>
      <AsCode route="putNamespace" input={{ params: { name }, body: requestOf(draft) }} />
      {put.error !== null && <ProblemNote error={put.error} />}
      <Dialog open={asksToSeal} onClose={() => setAsksToSeal(false)} title="Seal this namespace?">
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
          <li>Its memories are captured again, encrypted, and the open ones are forgotten.</li>
          <li>Superseded memories are forgotten. They are not captured again.</li>
          <li>Blobs that somebody copied, and public receipts that quote them, stay public.</li>
        </ul>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button look="primary" busy={put.isPending} onClick={() => put.mutate()}>
            {put.isPending ? "Sealing …" : "Seal"}
          </Button>
          <Button onClick={() => setAsksToSeal(false)}>Cancel</Button>
        </div>
      </Dialog>
    </form>
  );
}

function sealingText(sealing: Awaited<ReturnType<typeof client.putNamespace>>["sealing"]): string {
  if (sealing === undefined) return "";
  const done = ` ${plural(sealing.sealed, "memory", "memories")} encrypted`;
  return sealing.done ? `${done}.` : `${done}; the rest follows in the background.`;
}
