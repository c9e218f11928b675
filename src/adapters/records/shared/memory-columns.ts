/** A memory's fields, by their names in the code. */
export const MEMORY_COLUMNS = `memory_id AS memoryId, store_ref AS storeRef, namespace, content,
  source_agent AS sourceAgent, created_at AS createdAt, content_digest AS contentDigest`;
