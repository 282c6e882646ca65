import { describeValue, ownText, type Path } from '@joust/source'
import { roleOf } from '../../bindings/binding.ts'
import { messageShapes } from '../../bindings/message-shapes.ts'
import type { Shape } from '../../bindings/shape.ts'
import { pathsOf } from '../../bindings/shape-paths.ts'
import { findMode } from '../../bindings/table.ts'
import { extractProtocol } from '../../primitives/extract-protocol.ts'
import { twoPhaseDocument } from '../../rules/rule.ts'
import { kindsOf } from '../../traffic/message-kinds.ts'
import { deadPredicatePaths } from '../../traffic/predicate-paths.ts'
import { requestAt } from '../../traffic/state-requests.ts'
import { type PhaseSite, siteAt } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

export const predicatePathExists: LintRule = {
  summary: 'Every path in a predicate exists in the message that the predicate tests.',
  check({ walk }, report) {
    for (const { path, value, phase } of walk.predicates) {
      const message = testedMessage(path, phase)
      if (message === undefined) continue
      for (const dead of deadPredicatePaths(value, message.shapes)) {
        const fault = `no ${message.name} has ${describeValue(dead)}, so the predicate never matches`
        report([...path, dead], fault, { at: 'key', correction: withoutEnvelope(dead, message.shapes) })
      }
    }
  },
  good: twoPhaseDocument(`          match: { nextCursor: { exists: true } }
`),
  mistake: ['nextCursor:', 'result.nextCursor:'],
  path: 'attack.execution.phases[0].trigger.match.result.nextCursor',
}

interface TestedMessage {
  readonly name: string
  readonly shapes: readonly Shape[]
}

/** Returns the message that a predicate tests: the event of a trigger, or the request that a state responds to. */
function testedMessage(path: Path, phase: PhaseSite): TestedMessage | undefined {
  const { mode } = phase
  if (mode === undefined || findMode(mode) === undefined) return undefined
  const keys = path.slice(phase.path.length)
  if (keys[0] === 'trigger') return eventOf(phase, mode)
  const request = requestAt(mode, keys.slice(1))
  return request === undefined ? undefined : { name: `${request.surface} request`, shapes: request.shapes }
}

function eventOf(phase: PhaseSite, mode: string): TestedMessage | undefined {
  const trigger = siteAt(phase, 'trigger')
  const event = trigger && ownText(trigger.value, 'event')
  const row = messageShapes(extractProtocol(mode)).find(({ surface }) => surface === event)
  if (row === undefined) return undefined
  return { name: `${row.surface} event`, shapes: kindsOf(row, roleOf(mode)).flatMap((kind) => kind.shapes) }
}

/** Returns the path without a JSON-RPC envelope, because authors often write predicates for the whole message. */
function withoutEnvelope(dead: string, shapes: readonly Shape[]): string | undefined {
  const paths = new Set(shapes.flatMap(pathsOf))
  const names = dead.split('.')
  for (let from = 1; from < names.length; from++) {
    const rest = names.slice(from)
    if (paths.has(rest.slice(0, 1).join('.'))) return rest.join('.')
  }
  return undefined
}
