/** Warnings about what a binding will not use: silence would look like an effect. */
import { type Actor, findMode } from '@joust/oatf'
import { isRecord, type Suggestion, suggest, suggestion } from '@joust/source'
import type { DiagnosticCode } from '../model/diagnostics.ts'

/** Reports every key of a state that the binding of the actor does not define, extensions aside. */
export function checkState(
  actor: Actor,
  path: string,
  report: (code: DiagnosticCode, message: string, path: string, suggestion?: Suggestion) => void,
): void {
  const known = findMode(actor.mode)?.stateKeys ?? []
  for (const [index, { state }] of actor.phases.entries()) {
    const at = `${path}.phases[${index}].state`
    if (state === undefined || state === null) continue
    if (!isRecord(state)) {
      report('state-malformed', 'the state is no mapping, so nothing of it is used', at)
      continue
    }
    for (const key of Object.keys(state)) {
      if (known.includes(key) || key.startsWith('x-')) continue
      const hint = suggestion('key', suggest(key, known))
      report('unknown-state-key', `${actor.mode} has no state key "${key}"`, `${at}.${key}`, hint.suggestion)
    }
  }
}
