import type { ProtocolEvent, Trigger, TriggerState } from '../model/document.ts'
import type { AdvanceReason } from '../model/enumerations.ts'
import type { PrimitiveOptions } from '../model/evaluators.ts'
import { evaluatePredicate } from './evaluate-predicate.ts'
import { parseDuration } from './parse-duration.ts'

/**
 * The result of a trigger, with the reason if the phase advances ([OATF SDK §2.8b](https://oatf.io/sdk/core-types/)).
 */
export type TriggerResult = { readonly advanced: true; readonly reason: AdvanceReason } | { readonly advanced: false }

const NOT_ADVANCED: TriggerResult = { advanced: false }

/**
 * Evaluates a trigger (OATF SDK §5.8): first the time, then the event by type, predicate and count. Counts events in
 * `state`, which the caller creates on phase entry and keeps between calls.
 *
 * @example
 * const state = { event_count: 0 }
 * const event = { event_type: 'tools/call', content: {} }
 * const { advanced } = evaluateTrigger({ event: 'tools/call', count: 1 }, event, 0, state)
 */
export function evaluateTrigger(
  trigger: Trigger,
  event: ProtocolEvent | undefined,
  elapsedMs: number,
  state: TriggerState,
  options: PrimitiveOptions = {},
): TriggerResult {
  if (typeof trigger !== 'object' || trigger === null) return NOT_ADVANCED
  if (trigger.after !== undefined) {
    const after = parseDuration(trigger.after)
    if (after.ok && elapsedMs >= after.value) return { advanced: true, reason: 'timeout' }
  }
  if (trigger.event === undefined || event?.event_type !== trigger.event) return NOT_ADVANCED
  if (trigger.match !== undefined && !evaluatePredicate(trigger.match, event.content, options)) return NOT_ADVANCED
  state.event_count += 1
  return state.event_count >= (trigger.count ?? 1) ? { advanced: true, reason: 'event_matched' } : NOT_ADVANCED
}
