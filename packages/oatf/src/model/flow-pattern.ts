import { own, ownText, type ValueRecord } from '@joust/source'
import type { Indicator } from './document.ts'

export const FLOW = 'x-joust-flow'

/** Origins of values. An origin may also be the name of a tool. */
export const flowOrigins = ['untrusted', 'private', 'user'] as const

/** A data flow that an indicator detects. */
export interface FlowPattern {
  /** An origin, or the name of a tool, resource or prompt. */
  readonly from: string
  /** The tool or agent that is called later, or `tool.argument` with an argument path. */
  readonly to: string
}

export const flowKeys = ['from', 'to'] as const

/** Returns the data flow of an indicator; undefined if missing or invalid. */
export function flowPatternOf(indicator: Indicator | ValueRecord): FlowPattern | undefined {
  const flow = own(indicator, FLOW)
  const from = ownText(flow, 'from')
  const to = ownText(flow, 'to')
  return from && to && /^[^.]/.test(to) && !to.endsWith('.') ? { from, to } : undefined
}
