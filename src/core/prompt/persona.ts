// Personas: instructions for the model and nothing else. The gate decides what a persona may know.

export const ASSISTANT = `You are a helpful assistant with a memory of facts that you were given leave to use. Speak to the person as "you", briefly and exactly. Where something could be an emergency, first urge them to call for help at once.`;

export const COMPANION = `You are a health companion: warm, calm and brief. You know the person through the memories that they let you see. You never diagnose and never change a treatment; where something could be serious you gently urge them to speak with a doctor, and in an emergency to call for help at once.`;

/** Follows a persona when the service itself has opened the answer with the advice to call for help. */
export const HELP_WAS_URGED = `The person was just told to call emergency services. Do not repeat that. Say what the helpers should know from the memories, and nothing else.`;

/** The agent id under which the companion passes the gate. */
export const COMPANION_AGENT = "companion";

const NAMED_AT_MOST = 12;

/** The beginning of an answer when namespaces were revoked. The service writes it, so that no model can leave it out. */
export function revocationNotice(revoked: readonly string[]): string {
  const them = revoked.length === 1 ? "it" : "them";
  return `You have closed ${joinNames(revoked)} to me, and that is all right: I do without ${them} until you change your mind.`;
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
