import {
  describeValue,
  isList,
  isRecord,
  own,
  ownText,
  type Path,
  type Suggest,
  suggestions,
  type Value,
} from '@joust/source'
import type { BindingMode } from '../../bindings/binding.ts'
import { sameWords } from '../../bindings/same-words.ts'
import { findBinding, findMode } from '../../bindings/table.ts'
import { extractProtocol } from '../../primitives/extract-protocol.ts'
import { type Report, twoPhaseDocument } from '../../rules/rule.ts'
import { type PhaseSite, siteAt, sitesAt } from '../../walk/walk.ts'
import { closestCurrentName, closestName } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

export const nameSpelled: LintRule = {
  summary: 'Events, state keys and methods are spelled as in their binding.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const phase of walk.phases) {
      const mode = phase.mode === undefined ? undefined : findMode(phase.mode)
      if (mode === undefined) continue
      checkEvent(phase, mode, hint, report)
      checkState(phase, mode, hint, report)
      checkEntryActions(phase, mode, hint, report)
    }
  },
  good: twoPhaseDocument(),
  mistake: ['- { method: tools/list }', '- { method: list_tools }'],
  path: 'attack.execution.phases[0].state.actions[0].method',
}

function checkEvent(phase: PhaseSite, { mode, events }: BindingMode, hint: Suggest, report: Report): void {
  const trigger = siteAt(phase, 'trigger')
  const event = trigger && ownText(trigger.value, 'event')
  if (trigger === undefined || event === undefined || events.includes(event)) return
  // An event that a different mode of the protocol defines is spelled correctly.
  const protocol = extractProtocol(mode)
  if (findBinding(protocol)?.surfaces.includes(event)) return
  const correction = closestName(event, events, hint) ?? closestCurrentName(event, protocol, events, hint)
  const fault = `unknown event ${describeValue(event)} for ${mode}, so the trigger never fires.`
  if (correction !== undefined) report([...trigger.path, 'event'], fault, { correction })
}

function checkState(phase: PhaseSite, mode: BindingMode, hint: Suggest, report: Report): void {
  const state = siteAt(phase, 'state')
  if (state === undefined) return
  for (const key of Object.keys(state.value)) {
    if (key.startsWith('x-') || mode.stateKeys.includes(key)) continue
    const correction = closestName(key, mode.stateKeys, hint)
    const fault = `unknown key ${describeValue(key)} in a state of ${mode.mode}; it has no effect.`
    if (correction !== undefined) report([...state.path, key], fault, { at: 'key', correction })
  }
  const actions = mode.stateKeys.includes('actions') ? own(state.value, 'actions') : undefined
  if (!isList(actions)) return
  actions.forEach((action, index) => {
    checkMethod(action, [...state.path, 'actions', index], mode, report)
  })
}

function checkEntryActions(phase: PhaseSite, mode: BindingMode, hint: Suggest, report: Report): void {
  for (const { path: at, value: action } of sitesAt(phase, 'on_enter')) {
    checkMethod(own(action, 'send'), [...at, 'send'], mode, report)
    for (const key of Object.keys(action)) {
      if (key.startsWith('x-') || mode.entryActions.includes(key)) continue
      const verb = sameWords(key, methodsOf(mode))
      if (verb !== undefined) report([...at, key], verbFault(key, `send: { method: ${verb} }`), { at: 'key' })
      const correction = verb === undefined ? closestName(key, mode.entryActions, hint) : undefined
      const fault = `unknown entry action ${describeValue(key)} for ${mode.mode}; it has no effect.`
      if (correction !== undefined) report([...at, key], fault, { at: 'key', correction })
    }
  }
}

/** Reports only methods with the same words as a known method, because new protocol versions add methods. */
function checkMethod(action: Value | undefined, path: Path, mode: BindingMode, report: Report): void {
  const methods = methodsOf(mode)
  const bare = typeof action === 'string' ? sameWords(action, methods) : undefined
  if (bare !== undefined) report(path, verbFault(action, `{ method: ${bare} }`))
  if (!isRecord(action)) return
  const method = ownText(action, 'method')
  if (method !== undefined) {
    const correction = methods.includes(method) ? undefined : sameWords(method, methods)
    const fault = `unknown method ${describeValue(method)}.`
    if (correction !== undefined) report([...path, 'method'], fault, { correction })
    return
  }
  for (const key of Object.keys(action)) {
    const verb = sameWords(key, methods)
    if (verb !== undefined) report([...path, key], verbFault(key, `method: ${verb}`), { at: 'key' })
  }
}

function verbFault(verb: Value | undefined, instead: string): string {
  return `${describeValue(verb)} is not sent; write ${instead} and put its parameters under "params"`
}

function methodsOf({ mode }: BindingMode): readonly string[] {
  return findBinding(extractProtocol(mode))?.surfaces ?? []
}
