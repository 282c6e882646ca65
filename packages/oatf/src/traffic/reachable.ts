/** Finds the reachable phases of an actor. A trigger is dead only if no agent can make it fire. */
import { describeValue, isNumeric, isRecord, own, ownText, type ValueRecord } from '@joust/source'
import { roleOf } from '../bindings/binding.ts'
import { messageShapes } from '../bindings/message-shapes.ts'
import type { MessageShapes } from '../bindings/shape.ts'
import { bindings, findMode } from '../bindings/table.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import { hasTemplate } from '../primitives/interpolate-template.ts'
import { type ActorSite, type PhaseSite, type Site, sendsOf, siteAt, sitesAt } from '../walk/walk.ts'
import { kindsOf } from './message-kinds.ts'
import { deadPredicatePaths } from './predicate-paths.ts'

export function reachablePhases(actor: ActorSite): readonly PhaseSite[] {
  const dead = deadTrigger(actor)
  return dead === undefined ? actor.phases : actor.phases.slice(0, dead.index + 1)
}

/** Returns the first phase with a dead trigger, and the reason as a clause that follows "because". */
export function deadTrigger(actor: ActorSite): { readonly index: number; readonly reason: string } | undefined {
  const sent = new Sent()
  for (const [index, phase] of actor.phases.entries()) {
    sent.enter(phase)
    const reason = triggerFault(phase, sent)
    if (reason !== undefined) return { index, reason }
  }
  return undefined
}

function triggerFault(phase: PhaseSite, sent: Sent): string | undefined {
  const trigger = siteAt(phase, 'trigger')?.value
  const mode = findMode(phase.mode ?? '')
  if (mode === undefined || trigger === undefined || own(trigger, 'after') !== undefined) return undefined
  const event = ownText(trigger, 'event')
  if (event === undefined) return undefined
  if (!mode.events.includes(event)) {
    // An unknown name may be from a newer protocol version.
    const isKnown = bindings.some((binding) => binding.surfaces.includes(event))
    return isKnown ? `${articled(mode.mode)} never receives ${describeValue(event)}` : undefined
  }
  const row = messageShapes(extractProtocol(mode.mode)).find(({ surface }) => surface === event)
  if (row === undefined) return undefined
  const unsent = roleOf(mode.mode) === 'client' ? unsentFault(row, trigger, sent) : undefined
  return unsent ?? matchFault(trigger, row, mode.mode)
}

function articled(mode: string): string {
  return `${/^a/.test(mode) ? 'an' : 'a'} ${mode}`
}

/** Returns the reason if a trigger matches a path that its event never has. */
function matchFault(trigger: ValueRecord, row: MessageShapes, mode: string): string | undefined {
  const match = own(trigger, 'match')
  if (!isRecord(match)) return undefined
  const shapes = kindsOf(row, roleOf(mode)).flatMap((kind) => kind.shapes)
  const [path] = deadPredicatePaths(match, shapes)
  return path === undefined ? undefined : `no ${row.surface} has ${describeValue(path)}, which the trigger requires`
}

const carriers: { readonly [event: string]: readonly string[] } = {
  'task/status': ['message/stream', 'tasks/resubscribe'],
  'task/artifact': ['message/stream', 'tasks/resubscribe'],
}

const STREAMED = ['message/stream', 'tasks/resubscribe']

const WITHOUT_ACTION = ['initialize', 'tool_call_result']

/**
 * Returns the reason if a trigger waits for responses that never arrive. A client receives responses only to requests
 * that it sent in this phase or earlier.
 */
function unsentFault(row: MessageShapes, trigger: ValueRecord, sent: Sent): string | undefined {
  const { surface } = row
  const answered = row.by === 'client' && row.request !== undefined && row.response !== undefined
  if ((!answered || WITHOUT_ACTION.includes(surface)) && !Object.hasOwn(carriers, surface)) return undefined
  if (sent.unknown) return undefined
  const methods = Object.hasOwn(carriers, surface) ? (carriers[surface] ?? []) : [surface]
  const answers = methods.reduce((sum, method) => sum + sent.times(method), 0)
  if (answers === 0) return `no action sends ${methods.join(' or ')}, so no ${surface} is received`
  const count = own(trigger, 'count')
  if (methods.some((method) => STREAMED.includes(method)) || !isNumeric(count) || count <= answers) return undefined
  return `it waits for ${count} responses to ${surface}, which is sent ${answers === 1 ? 'once' : `${answers} times`}`
}

class Sent {
  readonly #times = new Map<string, number>()
  #actions: readonly Site[] = []
  /** True if a method is a template, which may have any value. */
  unknown = false

  /** Adds the requests of a phase. A phase without a state inherits the actions of the previous phase. */
  enter(phase: PhaseSite): void {
    const state = siteAt(phase, 'state')
    if (state !== undefined) this.#actions = sitesAt(state, 'actions')
    for (const action of [...this.#actions, ...sendsOf(phase)]) {
      const method = ownText(action.value, 'method')
      if (method === undefined) continue
      this.#times.set(method, this.times(method) + 1)
      if (hasTemplate(method)) this.unknown = true
    }
  }

  times(method: string): number {
    return this.#times.get(method) ?? 0
  }
}
