/** Warnings about what a binding will not use: silence would look like an effect. */
import { type Actor, findMode } from '@joust/oatf'
import { isRecord, kindOf, own, type Suggestion, suggest, suggestion } from '@joust/source'
import type { DiagnosticCode } from '../model/diagnostics.ts'

/** Keys that no binding defines and that have an effect here. */
const usedAllTheSame: ReadonlySet<string> = new Set(['mcp_client protocol_version'])

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
      report('state-malformed', 'the state is not a mapping, so nothing of it is used', at)
      continue
    }
    const version = own(state, 'protocol_version')
    if (version !== undefined && typeof version !== 'string') {
      const what = `protocol_version is ${kindOf(version)}; it must be a string, and goes out as it is`
      report('state-malformed', what, `${at}.protocol_version`)
    }
    for (const key of Object.keys(state)) {
      if (known.includes(key) || key.startsWith('x-')) continue
      const used = usedAllTheSame.has(`${actor.mode} ${key}`)
      const hint = used ? {} : suggestion('key', suggest(key, known))
      const message = `${actor.mode} has no state key "${key}"${used ? '; it is used all the same' : ''}`
      report('unknown-state-key', message, `${at}.${key}`, hint.suggestion)
    }
  }
}
