// The media types that the API speaks besides plain JSON.
export const PROBLEM_TYPE = "application/problem+json";
export const EVENT_STREAM_TYPE = "text/event-stream";
export const NDJSON_TYPE = "application/x-ndjson";
