import { own, ownText, type ValueRecord } from '@joust/source'
import type { Indicator } from './document.ts'

/** The extension on an indicator. */
export const FLOW = 'x-joust-flow'

/** Origins of values, besides names of tools. */
export const flowOrigins = ['untrusted', 'private', 'user'] as const

/** The data flow that an indicator looks for. */
export interface FlowPattern {
  /** An origin, or the name of a tool, resource or prompt. */
  readonly from: string
  /** The tool or agent of the later call, or a tool, a dot and the path of an argument. */
  readonly to: string
}

/** The keys of `x-joust-flow`. */
export const flowKeys = ['from', 'to'] as const

/** The flow of an indicator; undefined if it has none or an invalid one. */
export function flowPatternOf(indicator: Indicator | ValueRecord): FlowPattern | undefined {
  const flow = own(indicator, FLOW)
  const from = ownText(flow, 'from')
  const to = ownText(flow, 'to')
  return from && to && /^[^.]/.test(to) && !to.endsWith('.') ? { from, to } : undefined
}
