import { isRecord, own, suggestions } from '@joust/source'
import type { BindingMode } from '../../bindings/binding.ts'
import { bindings, findMode } from '../../bindings/table.ts'
import { describeValue } from '../../model/describe-value.ts'
import type { Rule } from '../rule.ts'
import { textOf } from '../walk.ts'

/** `trigger.event` is an event of the mode, where the mode is known (V-029). */
export const eventKnownForMode: Rule = (walk, report) => {
  const hint = suggestions()
  for (const phase of walk.phases) {
    const mode = phase.mode === undefined ? undefined : findMode(phase.mode)
    const trigger = own(phase.value, 'trigger')
    const event = isRecord(trigger) ? textOf(trigger, 'event') : undefined
    if (mode === undefined || event === undefined || mode.events.includes(event)) continue
    report([...phase.path, 'trigger', 'event'], eventMessage(event, mode, hint(event, mode.events)))
  }
}

function eventMessage(event: string, mode: BindingMode, hint: string): string {
  const fault = `${describeValue(event)} is not an event of ${mode.mode}`
  const others = bindings.flatMap((binding) => binding.modes).filter((other) => other.events.includes(event))
  if (others.length > 0) return `${fault}; it is one of ${others.map((other) => other.mode).join(', ')}`
  return `${fault}, so the trigger may never fire.${hint}`
}
