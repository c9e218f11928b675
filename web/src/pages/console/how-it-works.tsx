/** Shown in the place of the answer until there is one. */
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
    "1. The gate",
    "The service looks up which namespaces the agent may use. A namespace is closed until the policy opens it.",
  ],
  [
    "2. The model",
    "The model gets memories of open namespaces only. If you close a gate while it answers, the service answers again without that namespace.",
  ],
  [
    "3. The receipt",
    "The receipt lists the used memories and the blocked namespaces. Anchor it, and anyone can check it.",
  ],
] as const;
