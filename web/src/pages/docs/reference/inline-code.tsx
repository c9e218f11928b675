/** A sentence of the description, with its code between backticks as code. */
export function InlineCode({ children }: { readonly children: string }) {
  return children.split("`").map((part, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order.
      <code key={i} className="font-mono text-[0.9em] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
