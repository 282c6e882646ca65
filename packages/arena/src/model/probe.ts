/** Requests to a server under attack that are not part of the run. */
import type { Value } from '@joust/source'

interface ProbedAnswer {
  readonly failed: boolean
  readonly content: Value
}

/** Sends a request that is not part of the trace; undefined if there is no response. */
export type Probe = (method: string, params: Value) => Promise<ProbedAnswer | undefined>
