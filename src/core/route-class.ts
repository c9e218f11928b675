/** What a request costs, and so which limit counts it. `never`: no limit does. */
export type RouteClass = "answer" | "write" | "read" | "verify" | "sign-in" | "never";

export type LimitedClass = Exclude<RouteClass, "never">;

/** How many requests of each class a caller may send in a minute. Absent: any number. */
export type RequestsPerMinute = Readonly<Partial<Record<LimitedClass, number>>>;
