/** The bits of `TraceIndex.flags`, as `client/flags.js` explains and reads them. */
export const traceFlags = { out: 1, response: 2, malformed: 4, cut: 8, broken: 16 } as const
