import { describeValue, isList, isRecord, ownList, ownText, type Path, suggestions, type Value } from '@joust/source'
import { OVERLAY } from '../../bindings/overlay.ts'
import { findMode } from '../../bindings/table.ts'
import { FILES } from '../../bindings/workspace.ts'
import { VERBATIM } from '../../dialects/places.ts'
import { BAIT } from '../../exposure/bait.ts'
import { CANARIES } from '../../exposure/canaries.ts'
import { PLACEBO } from '../../exposure/placebo.ts'
import { CVSS } from '../../model/cvss.ts'
import { FLOW } from '../../model/flow-pattern.ts'
import { REMEDIATION } from '../../model/remediation.ts'
import { mcpServerDocument, weatherTool } from '../../rules/rule.ts'
import { TASK } from '../../rules/task.ts'
import { siteAt, sitesAt } from '../../walk/walk.ts'
import { closestName } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

const PREFIX = 'x-joust-'
const HEADERS = 'x-joust-headers.'

const ofAttack: readonly string[] = [
  ...[BAIT, CANARIES, CVSS, FILES, PLACEBO, REMEDIATION, TASK, VERBATIM],
  ...['x-joust-mutations', 'x-joust-parent'],
]
/** Those of responses, requests and entry actions, at any depth. */
const inParts: readonly string[] = ['x-joust-during', 'x-joust-headers', OVERLAY]

export const extensionKnown: LintRule = {
  summary: 'Every key that begins with `x-joust-` is an extension of Joust in its place.',
  check({ walk }, report) {
    const hint = suggestions()
    const checkKeys = (value: Value | undefined, path: Path, known: readonly string[], place: string) => {
      for (const key of isRecord(value) ? Object.keys(value) : []) {
        // A key of `when` is a path: `x-joust-headers.authorization`.
        const [name = ''] = key.split('.')
        if (!key.startsWith(PREFIX) || known.includes(name)) continue
        const correction = closestName(key, known, hint)
        const fault = `${describeValue(key)} has no effect in ${place}`
        const expected = known.length === 0 ? '' : `; expected one of: ${known.join(', ')}`
        report([...path, key], correction === undefined ? `${fault}${expected}` : `${fault}.`, {
          at: 'key',
          correction,
        })
      }
    }
    const checkParts = (value: Value | undefined, path: Path): void => {
      if (isList(value)) for (const [index, item] of value.entries()) checkPart(item, [...path, index])
      else if (isRecord(value)) for (const [key, item] of Object.entries(value)) checkPart(item, [...path, key])
    }
    const checkPart = (value: Value, path: Path): void => {
      checkKeys(value, path, inParts, 'a message')
      checkParts(value, path)
    }
    checkKeys(walk.attack, ['attack'], ofAttack, 'an attack')
    for (const { path, value } of walk.indicators) {
      checkKeys(value, path, [FLOW], 'an indicator')
      const target = ownText(value, 'target') ?? ''
      if (target.startsWith(HEADERS) && target !== target.toLowerCase())
        report([...path, 'target'], 'names of headers are in lower case.', { correction: target.toLowerCase() })
    }
    for (const { path, value, form } of walk.actors) if (form === 'actors') checkKeys(value, path, [], 'an actor')
    for (const phase of walk.phases) {
      const state = siteAt(phase, 'state')
      const mode = phase.mode === undefined ? undefined : findMode(phase.mode)
      if (mode === undefined) continue
      const known = mode.stateKeys.filter((key) => key.startsWith(PREFIX))
      if (ownList(walk.execution, 'actors').length > 0) checkKeys(phase.value, phase.path, [], 'a phase')
      if (state !== undefined) checkKeys(state.value, state.path, known, `a state of ${mode.mode}`)
      if (state !== undefined) checkParts(state.value, state.path)
      for (const { path, value } of sitesAt(phase, 'on_enter')) checkPart(value, path)
    }
  },
  good: mcpServerDocument(`
    state:
      x-joust-headers: { server: nginx }${weatherTool}  indicators:
    - surface: tools/call
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['x-joust-headers', 'x-joust-header'],
  path: 'attack.execution.state.x-joust-header',
}
