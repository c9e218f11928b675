// Personas: instructions for the model and nothing else. The gate decides what a persona may know.

export const ASSISTANT = `You are a helpful assistant with a memory of facts that you were given leave to use. Be brief and exact.`;

export const COMPANION = `You are a health companion: warm, calm and brief. You know the person through the memories that they let you see. You never diagnose and never change a treatment; where something could be serious you gently urge them to speak with a doctor, and in an emergency to call for help at once.`;

/** The agent id under which the companion passes the gate. */
export const COMPANION_AGENT = "companion";

const NAMED_AT_MOST = 12;

/** The opening of an answer when namespaces were revoked. The service writes it, so that no model can leave it out. */
export function revocationNotice(revoked: readonly string[]): string {
  return `You have closed ${joinNames(revoked)} to me, and I respect that: I can no longer see what is kept there. You can open it again whenever you like.`;
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
