/** What a newcomer reads in the place where the answer will be. */
export function HowItWorks() {
  return (
    <section aria-labelledby="how" className="mt-10 border-line border-t pt-8">
      <h2 id="how" className="font-medium font-serif text-xl">
        What happens when you ask
      </h2>
      <ol className="mt-5 grid gap-x-12 gap-y-6 md:grid-cols-3">
        {STEPS.map(([title, text]) => (
          <li key={title}>
            <p className="font-medium">{title}</p>
            <p className="mt-1 text-sm text-soft">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const STEPS = [
  [
    "First, the gate",
    "It looks up what the agent may use. What no policy opens stays closed, for agents nobody has heard of too.",
  ],
  [
    "Then, the model",
    "It is told the memories that passed, and nothing of the others. Close a gate while it answers, and it answers again without.",
  ],
  [
    "Last, the receipt",
    "It names the memories that were used and the namespaces that were blocked. Anchor it, and a stranger can check it.",
  ],
] as const;
