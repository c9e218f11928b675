// /memories: the memories that the caller may read, with filters, a form to capture one, and the import of a file.
import { classNames } from "#web/lib/class-names.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import { CaptureForm } from "./capture/capture-form.tsx";
import { CollapsiblePanel } from "./collapsible-panel.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ImportPanel } from "./import/import-panel.tsx";
import { MEMORY_FILTERS } from "./memory-filters.ts";
import { MemoryList } from "./memory-list.tsx";

export default function MemoriesPage() {
  const filters = useFilters(MEMORY_FILTERS);
  const { may, captures } = usePermissions();
  const mayCapture = may("capture") && captures?.length !== 0;
  return (
    <>
      <PageHeader
        title="Memories"
        lede="Short facts, each in a namespace, each stored as a blob. Check one here: your browser asks the blob store itself."
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
