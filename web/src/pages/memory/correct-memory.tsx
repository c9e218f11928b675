// The button that corrects a memory: another text takes its place, and the earlier one becomes history.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";
import { client, invalidate } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { mayCaptureAgain } from "#web/memory/may-capture-again.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, TextArea } from "#web/ui/form/field.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";

export function CorrectMemory({ memory }: { readonly memory: Memory }) {
  const { memoryId, namespace, sourceAgent, key } = memory;
  const permissions = usePermissions();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [content, setContent] = useState(memory.content);
  const [fault, setFault] = useState<string>();
  const request = { namespace, sourceAgent, content, supersedes: memoryId, ...(key !== undefined && { key }) };
  const correction = useMutation({
    mutationFn: () => client.capture(request),
    onSuccess({ memory: corrected }) {
      setOpen(false);
      invalidate("memories", "overview");
      navigate(pagePath("memory", { memoryId: corrected.memoryId }));
    },
  });
  if (!mayCaptureAgain(permissions, memory)) return null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const found = content === memory.content ? "is the same text as before" : textFault(content, LIMITS.content);
    setFault(found);
    if (found === undefined) correction.mutate();
  }

  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        Correct …
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Correct this memory">
        <form noValidate onSubmit={submit}>
          <p className="text-sm">
            The corrected text replaces the earlier one, which becomes history: it can be read, and no answer uses it.
          </p>
          <Field label="Corrected text" error={fault} className="mt-4">
            {(control) => (
              <TextArea
                {...control}
                rows={5}
                value={content}
                onChange={({ target }) => {
                  setContent(target.value);
                  setFault(undefined);
                }}
              />
            )}
          </Field>
          {correction.error !== null && (
            <div className="mt-4">
              <ProblemNote error={correction.error} />
            </div>
          )}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button type="submit" look="primary" busy={correction.isPending}>
              {correction.isPending ? "Saving …" : "Save correction"}
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <AsCode route="capture" input={{ body: request }} />
          </div>
        </form>
      </Dialog>
    </>
  );
}
