/** Matches an indicator with `x-joust-flow`: data flows between the locations that it specifies. */
import { type FlowPattern, flowPatternOf, type Indicator, type IndicatorVerdict } from '@joust/oatf'
import { type Flow, flowText, type TraceEntry } from '@joust/results'
import { isRecord } from '@joust/source'
import { FLOW_EVIDENCE } from './outcome.ts'

interface Verdicts {
  conclude(entry: TraceEntry, verdict: IndicatorVerdict): void
  fail(reason: string, entry: TraceEntry): void
}

type FlowTaker = (entry: TraceEntry, flows: readonly Flow[], isIncomplete: boolean) => void

/** Returns a function that takes the flows into each message. Matches count as derived, so the verdict ignores them. */
export function flowMatcher(id: string, indicator: Indicator, verdicts: Verdicts, now: () => number): FlowTaker {
  const pattern = isRecord(indicator) ? flowPatternOf(indicator) : undefined
  if (pattern === undefined) return () => {}
  return (message, flows, isIncomplete) => {
    if (indicator.actor !== undefined && message.actor !== indicator.actor) return
    const entry: TraceEntry = { ...message, derived: true }
    const flow = flows.find((one) => isFlowOf(pattern, one))
    if (flow !== undefined) {
      const evidence = `${FLOW_EVIDENCE}${flowText(flow)}`
      const match = { path: `arguments.${flow.to.argument}`, value: flow.text }
      const timestamp = new Date(now()).toISOString()
      verdicts.conclude(entry, { indicator_id: id, result: 'matched', timestamp, evidence, match })
    } else if (isIncomplete) verdicts.fail(INCOMPLETE, entry)
  }
}

const INCOMPLETE = 'the run has too many values to follow all of them'

/** Tool names may contain dots. */
function isFlowOf({ from, to }: FlowPattern, { kind, from: source, to: sink }: Flow): boolean {
  if (from !== kind && (kind === 'user' || from !== source.name)) return false
  if (to === sink.name) return true
  const argument = to.slice(sink.name.length + 1)
  if (!to.startsWith(`${sink.name}.`)) return false
  return sink.argument
    .split(', ')
    .some((path) => path === argument || (/^[.[]/.test(path.slice(argument.length)) && path.startsWith(argument)))
}
