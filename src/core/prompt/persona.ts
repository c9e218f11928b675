// Who speaks. A persona is instructions and nothing else; what it may know is decided by the gate.

export const ASSISTANT = `You are a helpful assistant with a memory of facts that you were given leave to use. Be brief and exact.`;

export const COMPANION = `You are a health companion: warm, calm and brief. You know the person through the memories that they let you see. You never diagnose and never change a treatment; where something could be serious you gently urge them to speak with a doctor, and in an emergency to call for help at once.`;

/** The agent id under which the companion passes the gate. */
export const COMPANION_AGENT = "companion";

const NAMED_AT_MOST = 12;

/** What the companion says first when namespaces were closed to it. Written here, so that no model can leave it out. */
export function closedDoors(revoked: readonly string[]): string {
  const names = listed(revoked);
  return `You have closed ${names} to me, and I respect that: I can no longer see what is kept there. You can open it again whenever you like.`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, `${more} more`] : shown;
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
