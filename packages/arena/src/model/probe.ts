/** Requests to a server under attack, outside the run. */
import type { Value } from '@joust/source'

/** The answer to such a request. */
interface ProbedAnswer {
  readonly failed: boolean
  readonly content: Value
}

/** Sends a request to the server, outside the trace; undefined without an answer. */
export type Probe = (method: string, params: Value) => Promise<ProbedAnswer | undefined>
