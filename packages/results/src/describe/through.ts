import { count, defined } from '@joust/source'
import type { AttackResults, Trial } from '../model/results.ts'
import type { ThroughCall } from '../model/through.ts'

/** Merges identical calls from several runs. Returns undefined if no run used real servers. */
export function sumThrough(runs: readonly Pick<Trial, 'through'>[]): readonly ThroughCall[] | undefined {
  const lists = runs.flatMap(({ through }) => (through === undefined ? [] : [through]))
  if (lists.length < 2) return lists[0]
  const all = new Map<string, ThroughCall>()
  for (const call of lists.flat()) {
    const key = JSON.stringify([
      call.server,
      call.method,
      call.tool,
      call.decision,
      call.answer,
      call.reason,
      call.may_change,
    ])
    const before = all.get(key)
    const sum = (field: 'overlaid' | 'failed') => (before?.[field] ?? 0) + (call[field] ?? 0) || undefined
    const counts = { overlaid: sum('overlaid'), failed: sum('failed') }
    all.set(key, { ...call, calls: (before?.calls ?? 0) + call.calls, ...defined(counts) })
  }
  return [...all.values()]
}

/**
 * Summarizes the calls of all runs, including runs without the bait or with a simulated model. Returns undefined if no
 * run used real servers.
 */
export function throughSummary(
  attacks: readonly Pick<AttackResults, 'trials' | 'placebo_trials' | 'controls'>[],
): string | undefined {
  const runs = attacks.flatMap(({ trials, placebo_trials = [], controls }) => [
    ...trials,
    ...placebo_trials,
    ...(controls?.sensitivity === undefined ? [] : [controls.sensitivity]),
  ])
  const lists = runs.flatMap(({ through }) => (through === undefined ? [] : [through]))
  if (lists.length === 0) return undefined
  const all = lists.flat()
  const calls = all.filter(({ method }) => method === undefined)
  const sum = (some: readonly ThroughCall[], of: 'calls' | 'overlaid' | 'failed' = 'calls') =>
    some.reduce((total, call) => total + (call[of] ?? 0), 0)
  const passed = calls.filter(({ decision }) => decision === 'passed')
  const changing = passed.filter((call) => call.may_change === true)
  const tools = [...new Set(changing.map(({ server, tool }) => `${server}/${tool}`))]
  const reads = all.filter(({ method }) => method !== undefined)
  const heldReads = sum(reads.filter(({ decision }) => decision === 'held'))
  const [laid, failed] = [sum(calls, 'overlaid'), sum(passed, 'failed')]
  return [
    `real servers: ${count(sum(passed), 'call')} passed on`,
    `${sum(calls) - sum(passed)} held back`,
    ...(laid === 0 ? [] : [`${count(laid, 'result')} with text from the attack`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(reads.length === 0
      ? []
      : [`${count(sum(reads) - heldReads, 'read')} of resources and prompts passed on`, `${heldReads} held back`]),
    ...(changing.length === 0 ? [] : [`${sum(changing)} may have changed something (${tools.join(', ')})`]),
  ].join(', ')
}

const origins: Readonly<Record<'recording' | 'schema' | 'error', string>> = {
  recording: 'answered from a recording',
  schema: 'answered with a harmless result',
  error: 'answered with an error',
}

/** Formats `held back: its annotations do not mark it as read-only; answered with a harmless result`. */
export function throughDecision({ decision, reason, answer }: ThroughCall): string {
  if (decision === 'passed') return `passed on: ${reason}`
  const origin = answer === 'server' || answer === 'document' ? '' : `; ${origins[answer]}`
  return `held back: ${reason}${origin}`
}
