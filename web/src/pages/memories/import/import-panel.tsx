// Imports a file of memories: the user chooses or drops it, and confirms the number of lines.

import { FileUp } from "lucide-react";
import { useEffect, useRef } from "react";
import { AsCode } from "#web/code/as-code.tsx";
import { classNames } from "#web/lib/class-names.ts";
import { useStore } from "#web/lib/store.ts";
import { useDroppedFile } from "#web/lib/use-dropped-file.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { type ImportState, importJob } from "./import-job.ts";
import { ImportProgress } from "./import-progress.tsx";

export function ImportPanel() {
  const state = useStore(importJob.state);
  const { agentId } = usePermissions();
  // An agent's facts are its own, so it need not say whose they are.
  const fields = agentId === undefined ? '{"namespace", "content", "sourceAgent"}' : '{"namespace", "content"}';
  const isDragging = useDroppedFile((file) => void importJob.choose(file));
  const panel = useRef<HTMLDivElement>(null);
  // The button that led to another state is gone with the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the state is another one.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, [state.status]);
  if (state.status === "none" || isDragging) {
    return (
      <div
        className={classNames(
          "rounded-md border border-dashed px-4 py-4 text-center",
          isDragging ? "border-iron bg-iron-wash" : "border-edge",
        )}
      >
        <p className="mb-3 text-soft text-xs">
          One JSON object a line: <code className="font-mono">{fields}</code>. Drop the file anywhere on this page, or
        </p>
        <ChooseFile>Choose a file</ChooseFile>
        <div className="mt-3 text-left">
          <AsCode route="importMemories" />
        </div>
      </div>
    );
  }
  return (
    <div ref={panel} tabIndex={-1} className="flex flex-col gap-3">
      <ImportProgress state={state} />
      {ENDED.has(state.status) && <ChooseFile>Choose another file</ChooseFile>}
    </div>
  );
}

const ENDED: ReadonlySet<ImportState["status"]> = new Set(["stopped", "broken", "done"]);

function ChooseFile({ children }: { readonly children: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <FileUp className="size-4" aria-hidden="true" />
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".ndjson,.jsonl,.json,.txt,application/x-ndjson"
        aria-label="File of memories"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void importJob.choose(file);
          // The browser reports the same file again only after a reset.
          target.value = "";
        }}
      />
    </>
  );
}
