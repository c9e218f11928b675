// What the palette does itself: gates, colours, exports, keys, and forgetting.
import { pagePath } from "#contract/page-paths.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { setTheme, THEMES } from "#web/layout/theme.ts";
import { saveExport } from "#web/memory/export-button.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { gatesNamed, namesLike, readCommand } from "./commands.ts";

export const LABEL_LENGTH = 90;

export interface Target {
  readonly id: string;
  readonly group: "Actions" | "Pages" | "Agents" | "Namespaces" | "Memories" | "Receipts" | "Ids";
  readonly label: string;
  /** What kind of thing it is, or where it is from. */
  readonly note?: string | undefined;
  /** Where it leads, or what it does: a change of a gate, the question whether to forget, or what ends with a sentence. */
  readonly path?: string;
  readonly rule?: AccessRule;
  readonly memory?: Memory;
  readonly act?: () => Promise<string>;
  /** The label was written by users, and not by us. */
  readonly isUntrusted?: boolean;
}

interface Known {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
  readonly access: Access;
  /** Those that the text after the verb finds. */
  readonly memories: readonly Memory[];
  readonly limit: number;
}

export function useActions(query: string, { agents, namespaces, access, memories, limit }: Known): readonly Target[] {
  const { may, mayOpen, governs, mayRemove } = usePermissions();
  if (query === "") return [];
  const command = readCommand(query);
  const action = (label: string, does: Partial<Target>): Target => ({ id: label, group: "Actions", label, ...does });

  function gates(allowed: boolean, text: string): Target[] {
    const isWanted = ({ agentId, namespace }: { readonly agentId: string; readonly namespace: string }) =>
      governs(namespace) && access.gate(agentId, namespace).open !== allowed;
    return gatesNamed(text, { agents, namespaces }, isWanted, limit).map(({ agentId, namespace }) =>
      action(`${allowed ? "Open" : "Close"} ${namespace} to ${agentId}`, {
        rule: { agentId, namespace, allowed },
        isUntrusted: true,
      }),
    );
  }

  const exporting = (label: string, of?: Parameters<typeof saveExport>[0]) =>
    action(label, { act: async () => `Saved ${await saveExport(of)}.`, isUntrusted: of !== undefined });
  function exports(text: string): Target[] {
    const named = (names: readonly string[]) => (text === "" ? [] : namesLike(text, names).slice(0, limit));
    return [
      ...named(namespaces).map((namespace) => exporting(`Export ${namespace}`, { namespace })),
      ...named(agents).map((sourceAgent) => exporting(`Export what ${sourceAgent} captured`, { sourceAgent })),
    ];
  }

  const theme = (name: (typeof THEMES)[number], label: string) =>
    action(label, {
      async act() {
        setTheme(name);
        return `${label}.`;
      },
    });
  const fixed = [
    ...THEMES.map((name) => theme(name, `Colours: ${name}`)),
    ...(may("exportRecords") ? [exporting("Export everything that you may read")] : []),
    ...(mayOpen("keys") ? [action("New key", { path: pagePath("keys") })] : []),
  ].filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${query.toLowerCase()}`));

  switch (command?.verb) {
    case "open":
    case "close":
      return may("setAccess") ? gates(command.verb === "open", command.rest) : [];
    case "export":
      return may("exportRecords") ? [...fixed, ...exports(command.rest)] : [];
    case "forget":
      return memories.filter(mayRemove).map((memory) =>
        action(`Forget: ${memory.content.slice(0, LABEL_LENGTH)}`, {
          ...{ id: `forget ${memory.memoryId}`, memory, isUntrusted: true },
        }),
      );
    default:
      return fixed;
  }
}
