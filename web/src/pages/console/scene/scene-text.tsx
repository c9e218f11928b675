// The scene in words: what passed the gate, and what is closed.
import { Fragment } from "react";
import type { GateEvent } from "#contract/client/answer-stream.ts";
import { plural } from "#web/lib/plural.ts";
import { Name } from "#web/ui/text/untrusted-text.tsx";

const MAX_NAMED = 3;

/** "12 memories of 3 namespaces passed; health is closed." */
export function SceneText({ gate }: { readonly gate: GateEvent }) {
  const { memories, blockedNamespaces, blockedCount = blockedNamespaces.length } = gate;
  const namespaces = new Set(memories.map(({ namespace }) => namespace)).size;
  const passed =
    memories.length === 0
      ? "No memory passed"
      : `${plural(memories.length, "memory", "memories")} of ${plural(namespaces, "namespace")} passed`;
  if (blockedCount === 0) return `${passed}; no gate is closed.`;
  return (
    <>
      {passed}; {blockedCount <= MAX_NAMED ? <Names names={blockedNamespaces} /> : plural(blockedCount, "namespace")}{" "}
      {blockedCount === 1 ? "is" : "are"} closed.
    </>
  );
}

const Names = ({ names }: { readonly names: readonly string[] }) =>
  names.map((name, i) => (
    <Fragment key={name}>
      {i > 0 && (i === names.length - 1 ? " and " : ", ")}
      <Name>{name}</Name>
    </Fragment>
  ));
