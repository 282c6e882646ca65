/** Calls to tools of real servers, in words. */
import { count } from '@joust/source'
import type { AttackResults } from '../model/results.ts'
import type { ThroughCall } from '../model/through.ts'

/** All calls in all runs, placebo runs included; undefined if no attack lay over real servers. */
export function throughSummary(
  attacks: readonly Pick<AttackResults, 'trials' | 'placebo_trials'>[],
): string | undefined {
  const trials = attacks.flatMap(({ trials, placebo_trials = [] }) => [...trials, ...placebo_trials])
  const lists = trials.flatMap(({ through }) => (through === undefined ? [] : [through]))
  if (lists.length === 0) return undefined
  const calls = lists.flat()
  const sum = (some: readonly ThroughCall[], of: 'calls' | 'overlaid' | 'failed' = 'calls') =>
    some.reduce((total, call) => total + (call[of] ?? 0), 0)
  const passed = calls.filter(({ decision }) => decision === 'passed')
  const changing = passed.filter((call) => call.may_change === true)
  const tools = [...new Set(changing.map(({ server, tool }) => `${server}/${tool}`))]
  const [laid, failed] = [sum(calls, 'overlaid'), sum(passed, 'failed')]
  return [
    `real servers: ${count(sum(passed), 'call')} passed on`,
    `${sum(calls) - sum(passed)} held back`,
    ...(laid === 0 ? [] : [`${count(laid, 'answer')} with a text of the attack`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(changing.length === 0 ? [] : [`${sum(changing)} may have changed something (${tools.join(', ')})`]),
  ].join(', ')
}

const origins: Readonly<Record<'recording' | 'schema', string>> = {
  recording: 'answered from a recording',
  schema: 'answered with a harmless result',
}

/** `held back: its annotations do not say that it only reads; answered with a harmless result` */
export function throughDecision({ decision, reason, answer }: ThroughCall): string {
  if (decision === 'passed') return `passed on: ${reason}`
  const origin = answer === 'recording' || answer === 'schema' ? `; ${origins[answer]}` : ''
  return `held back: ${reason}${origin}`
}
