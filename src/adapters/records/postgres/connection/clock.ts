// The server's clock decides what has expired, so that all replicas agree.

/** As times are written here. A subquery, so that a statement reads it once, and can use an index. */
export const NOW = `(SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Of a memory, whether its time is not over. */
export const IS_CURRENT = `(expires_at IS NULL OR expires_at > ${NOW})`;
