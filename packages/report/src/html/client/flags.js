/** The bits of `TraceIndex.flags`. */

/** Sent by the actor; otherwise it came from the agent. */
export const FLAG_OUT = 1
/** A response; otherwise a request. */
export const FLAG_RESPONSE = 2
/** Could not be read; the content is its raw text. */
export const FLAG_MALFORMED = 4
/** The content is not whole: it is a text, the beginning of the JSON. */
export const FLAG_CUT = 8
/** No message at all: a line of the trace that could not be understood. */
export const FLAG_BROKEN = 16
