// /memories: the memories that the caller may read, with filters, a form to capture one, and the import of a file.

import { type ReactNode, useState } from "react";
import { classNames } from "#web/lib/strings.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { ExportButton } from "#web/memory/export-button.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { ChevronRight } from "#web/ui/icons.tsx";
import { PageHeader } from "#web/ui/page.tsx";
import { CaptureForm } from "./capture/capture-form.tsx";
import { FilterBar, MEMORY_FILTERS } from "./filter-bar.tsx";
import { ImportPanel } from "./import/import-panel.tsx";
import { MemoryList } from "./memory-list.tsx";

export default function MemoriesPage() {
  const filters = useFilters(MEMORY_FILTERS);
  const { may, captures } = usePermissions();
  const mayCapture = may("capture") && captures?.length !== 0;
  return (
    <>
      <PageHeader
        title="Memories"
        lede="Short facts, each in a namespace. Your browser can check the blob of each."
        actions={<ExportButton />}
      />
      <div className={classNames("grid gap-x-12 gap-y-8", mayCapture && "lg:grid-cols-[20rem_minmax(0,1fr)]")}>
        {mayCapture && (
          <div className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:-mx-1 lg:px-1 lg:pb-4">
            <CollapsiblePanel title="Capture a memory">
              <CaptureForm />
            </CollapsiblePanel>
            <CollapsiblePanel title="Import a file">
              <ImportPanel />
            </CollapsiblePanel>
          </div>
        )}
        <section aria-label="All memories" className="min-w-0">
          <FilterBar {...filters} />
          <MemoryList {...filters} />
        </section>
      </div>
    </>
  );
}

/** Open at first on a wide screen, where it stands beside the list; closed on a narrow one, where it stands above. */
function CollapsiblePanel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(() => matchMedia("(min-width: 64rem)").matches);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="border-line border-t last:border-b lg:last:border-b-0"
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 [&::-webkit-details-marker]:hidden">
        <h2 className="font-medium font-serif text-xl">{title}</h2>
        <ChevronRight className="size-5 flex-none text-soft [details[open]>summary>&]:rotate-90" aria-hidden="true" />
      </summary>
      <div className="pt-2 pb-6">{children}</div>
    </details>
  );
}
