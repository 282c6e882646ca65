/**
 * The kinds of message on an actor's connection, and those that an indicator applies to ([OATF
 * §6](https://oatf.io/specification/indicators/)).
 */
import { ownText } from '@joust/source'
import { type Role, roleOf } from '../bindings/binding.ts'
import { errorShape, messageShapes } from '../bindings/message-shapes.ts'
import { observedProtocols } from '../bindings/observed.ts'
import { fields, type MessageShapes, open, type Shape } from '../bindings/shape.ts'
import { findMode } from '../bindings/table.ts'
import { directions } from '../model/enumerations.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import type { ActorSite, IndicatorSite, Walk } from '../walk/walk.ts'

/** The request or response of an operation, from an actor's perspective. */
export interface MessageKind {
  readonly row: MessageShapes
  readonly direction: 'request' | 'response'
  readonly role: Role
  /** The shape of a successful message. */
  readonly shape: Shape
  /** All possible shapes, including errors and responses that contain the client's request. */
  readonly shapes: readonly Shape[]
  readonly fromAgent: boolean
  readonly fromAttacker: boolean
}

export function actorsFor(walk: Walk, indicator: IndicatorSite): readonly ActorSite[] {
  const name = ownText(indicator.value, 'actor')
  return walk.actors.filter(
    (actor) =>
      (name === undefined || actor.name === name) &&
      modesOf(actor).some((mode) => extractProtocol(mode) === indicator.protocol),
  )
}

/** Returns the kinds of message that an indicator applies to; empty if the protocol, surface or actor is unknown. */
export function kindsFor(
  walk: Walk,
  indicator: IndicatorSite,
  direction: string | undefined = ownText(indicator.value, 'direction'),
): readonly MessageKind[] {
  const { protocol } = indicator
  if (protocol === undefined) return []
  const surface = ownText(indicator.value, 'surface')
  const rows = messageShapes(protocol).filter((row) => surface === undefined || row.surface === surface)
  const modes = actorsFor(walk, indicator).flatMap(modesOf)
  const roles = new Set(modes.filter((mode) => findMode(mode) !== undefined).map(roleOf))
  // An observed protocol has no actor in the document, or an actor with a different mode.
  if (observedProtocols(walk).includes(protocol)) roles.add('server')
  return [...roles].flatMap((role) =>
    rows.flatMap((row) => kindsOf(row, role).filter((kind) => direction === undefined || direction === kind.direction)),
  )
}

const headersShape = fields({}, { 'x-joust-headers': open })

export function kindsOf(row: MessageShapes, role: Role): readonly MessageKind[] {
  return directions.flatMap((direction) => {
    const shape = row[direction]
    if (shape === undefined) return []
    const bySender = row.by === 'either' || (row.by === role) === (direction === 'request')
    const fromAgent = row.by === 'either' || !bySender
    const failure = direction === 'response' && row.fails === true ? [errorShape] : []
    const isAnswer = role === 'client' && direction === 'response' && fromAgent
    const answered = isAnswer && row.request !== undefined ? [fields({}, { _request: row.request })] : []
    const shapes = [shape, ...failure, ...answered, ...(fromAgent ? [headersShape] : [])]
    return [{ row, direction, role, shape, shapes, fromAgent, fromAttacker: bySender }]
  })
}

function modesOf(actor: ActorSite): readonly string[] {
  return [...new Set([actor.mode, ...actor.phases.map((phase) => phase.mode)].filter((mode) => mode !== undefined))]
}
