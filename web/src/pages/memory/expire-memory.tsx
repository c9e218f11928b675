// The button that gives a memory an end. The same fact is captured again with a time, which counts from then on.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Memory } from "#core/memory.ts";
import { client, invalidate } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { mayCaptureAgain } from "#web/memory/may-capture-again.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, TextInput } from "#web/ui/form/field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";

export function ExpireMemory({ memory }: { readonly memory: Memory }) {
  const { namespace, sourceAgent, content, key } = memory;
  const permissions = usePermissions();
  const [isOpen, setOpen] = useState(false);
  const [time, setTime] = useState(() => localTime(memory.expiresAt));
  const [fault, setFault] = useState<string>();
  const requestFor = (expiresAt: string) => ({
    namespace,
    sourceAgent,
    content,
    expiresAt,
    ...(key !== undefined && { key }),
  });
  const expiring = useMutation({
    mutationFn: (expiresAt: string) => client.capture(requestFor(expiresAt)),
    onSuccess() {
      setOpen(false);
      invalidate("memories");
    },
  });
  if (!mayCaptureAgain(permissions, memory)) return null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const instant = instantOf(time);
    const isFuture = instant !== undefined && Date.parse(instant) > Date.now();
    setFault(isFuture ? undefined : "must be a day and a time in the future");
    if (isFuture) expiring.mutate(instant);
  }

  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        {memory.expiresAt === undefined ? "Set expiry …" : "Change expiry …"}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="When does this memory expire?">
        <form noValidate onSubmit={submit}>
          <p className="text-sm">From then on no answer uses it, and soon afterwards it is forgotten.</p>
          <Field label="Day and time" hint="In your time zone." error={fault} className="mt-4 max-w-72">
            {(control) => (
              <TextInput
                {...control}
                type="datetime-local"
                value={time}
                onChange={({ target }) => {
                  setTime(target.value);
                  setFault(undefined);
                }}
              />
            )}
          </Field>
          {expiring.error !== null && (
            <div className="mt-4">
              <ProblemNote error={expiring.error} />
            </div>
          )}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button type="submit" look="primary" busy={expiring.isPending}>
              {expiring.isPending ? "Saving …" : "Save expiry"}
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <AsCode route="capture" input={{ body: requestFor(instantOf(time) ?? "") }} />
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** Undefined while the field holds no whole time. */
function instantOf(time: string): string | undefined {
  const at = Date.parse(time);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** As the browser's own field takes it: local time, without a zone. */
function localTime(instant: string | undefined): string {
  if (instant === undefined) return "";
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
