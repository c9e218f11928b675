// The buttons that capture a memory's fact again: with another text, or with another time to expire.
import { useState } from "react";
import { useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";
import { client, invalidate } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { isoOf, localMinute } from "#web/lib/time-range.ts";
import { type Permissions, usePermissions } from "#web/session/permissions.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { TextArea, TextField } from "#web/ui/form.tsx";

/** Another text takes the place of the memory, which stays as history. */
export function CorrectMemory({ memory }: { readonly memory: Memory }) {
  const { memoryId, namespace, sourceAgent, key } = memory;
  const permissions = usePermissions();
  const [, navigate] = useLocation();
  const [content, setContent] = useState(memory.content);
  const request = { namespace, sourceAgent, content, supersedes: memoryId, ...(key !== undefined && { key }) };
  if (!mayCaptureAgain(permissions, memory)) return null;
  return (
    <ActionDialog
      button="Correct …"
      title="Correct this memory"
      action={["Save correction", "Saving …"]}
      check={() => (content === memory.content ? "is the same text as before" : textFault(content, LIMITS.content))}
      run={() => client.capture(request)}
      onDone={({ memory: corrected }) => {
        invalidate("memories", "overview");
        navigate(pagePath("memory", { memoryId: corrected.memoryId }));
      }}
      code={<AsCode route="capture" input={{ body: request }} />}
      lede="The corrected text supersedes this one. You can still read this one. No answer uses it."
    >
      {(fault) => (
        <TextArea
          label="Corrected text"
          error={fault}
          className="mt-4"
          rows={5}
          value={content}
          onChange={setContent}
        />
      )}
    </ActionDialog>
  );
}

export function ExpireMemory({ memory }: { readonly memory: Memory }) {
  const { namespace, sourceAgent, content, key } = memory;
  const permissions = usePermissions();
  const [time, setTime] = useState(() => localMinute(memory.expiresAt));
  const expiresAt = isoOf(time) ?? "";
  const request = { namespace, sourceAgent, content, expiresAt, ...(key !== undefined && { key }) };
  if (!mayCaptureAgain(permissions, memory)) return null;

  return (
    <ActionDialog
      button={memory.expiresAt === undefined ? "Set expiry …" : "Change expiry …"}
      title="When does this memory expire?"
      action={["Save expiry", "Saving …"]}
      check={() => (Date.parse(expiresAt) > Date.now() ? undefined : "must be a day and a time in the future")}
      run={() => client.capture(request)}
      onDone={() => invalidate("memories")}
      code={<AsCode route="capture" input={{ body: request }} />}
      lede="From then on no answer uses it. Soon afterwards it is forgotten."
    >
      {(fault) => (
        <TextField
          label="Day and time"
          hint="In your time zone."
          error={fault}
          className="mt-4 max-w-72"
          type="datetime-local"
          value={time}
          onChange={setTime}
        />
      )}
    </ActionDialog>
  );
}

/** Whether the caller may capture this fact again: as its source agent. */
function mayCaptureAgain({ may, captures, mayRemove }: Permissions, memory: Memory): boolean {
  if (!may("capture") || memory.supersededBy !== undefined || !mayRemove(memory)) return false;
  return captures === undefined || captures.includes(memory.namespace);
}
