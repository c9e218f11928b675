/**
 * Names the agent that an admin acts as, percent-encoded. The request then has that agent's rights and no others: what the
 * gate blocks for the agent does not exist for it. An agent's own key needs no such header.
 */
export const AGENT_HEADER = "portcullis-agent";
