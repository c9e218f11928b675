// Importing a file: chosen or dropped, counted, confirmed, sent.
import { FileUp } from "lucide-react";
import { useRef } from "react";
import { classes } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";
import { type Import, importing, useImport } from "./import-job.ts";
import { ImportProgress } from "./import-progress.tsx";
import { useDroppedFile } from "./use-dropped-file.ts";

export function ImportPanel() {
  const now = useImport();
  const isDragging = useDroppedFile((file) => void importing.choose(file));
  if (now.status === "none" || isDragging) {
    return (
      <div
        className={classes(
          "rounded-md border border-dashed px-4 py-4 text-center",
          isDragging ? "border-iron bg-iron-wash" : "border-edge",
        )}
      >
        <p className="mb-3 text-soft text-xs">
          One JSON object a line: <code className="font-mono">{'{"namespace", "content", "sourceAgent"}'}</code>. Drop
          the file anywhere on this page, or
        </p>
        <ChooseFile>Choose a file</ChooseFile>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <ImportProgress now={now} />
      {SETTLED.has(now.status) && <ChooseFile>Choose another file</ChooseFile>}
    </div>
  );
}

const SETTLED: ReadonlySet<Import["status"]> = new Set(["stopped", "broken", "done"]);

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
          if (file !== undefined) void importing.choose(file);
          // So that the same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}
