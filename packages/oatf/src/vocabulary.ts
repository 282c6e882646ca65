/** Queries the binding tables for a position in a document, for editors. */
import type { Path, Value } from '@joust/source'
import { answerTexts, roleOf, type Texts } from './bindings/binding.ts'
import { messageShapes } from './bindings/message-shapes.ts'
import type { MessageShapes, Shape } from './bindings/shape.ts'
import { pathsOf } from './bindings/shape-paths.ts'
import { findBinding, findMode } from './bindings/table.ts'
import type { Document } from './model/document.ts'
import { extractProtocol } from './primitives/extract-protocol.ts'
import { kindsFor, kindsOf } from './traffic/message-kinds.ts'
import { entryKeys } from './traffic/state-entries.ts'
import { requestAt } from './traffic/state-requests.ts'
import { type IndicatorSite, type Walk, walkDocument } from './walk/walk.ts'

export { OVERLAY } from './bindings/overlay.ts'
export { findBinding, findMode } from './bindings/table.ts'
export { BAIT, type Plants, plantsIn } from './exposure/bait.ts'
export { CANARIES, possibleCanaries } from './exposure/canaries.ts'
export { PLACEBO } from './exposure/placebo.ts'
export { FLOW, flowOrigins } from './model/flow-pattern.ts'
export { extractProtocol } from './primitives/extract-protocol.ts'
export { indicatorId } from './primitives/indicator-id.ts'
export { TASK } from './rules/task.ts'
export { editorSchema } from './schema.ts'
export { messageAt } from './traffic/state-messages.ts'
export { crossActorReference, isMessageReference } from './walk/templates.ts'
export type { ActorSite, IndicatorSite, PhaseSite, TemplateSite, Walk } from './walk/walk.ts'
export { indicatorSites } from './walk/walk.ts'

/** Walks a value that may be an invalid document. */
export function walkValue(value: Value): Walk {
  // The walk accepts any value.
  return walkDocument(value as unknown as Document)
}

/** Returns the surfaces of a protocol; empty for protocols without an included binding. */
export function surfacesOf(protocol: string): readonly string[] {
  return findBinding(protocol)?.surfaces ?? []
}

export interface MessagePath {
  readonly path: string
  readonly surface: string
  readonly direction: 'request' | 'response'
  /** True for a message from the agent, false for one from the attacker. */
  readonly fromAgent: boolean
  /** True for the path of the natural-language text. */
  readonly isText: boolean
}

/** Returns the paths in the messages that an indicator applies to, usual messages first. */
export function targetsFor(walk: Walk, indicator: IndicatorSite): readonly MessagePath[] {
  const kinds = kindsFor(walk, indicator)
  const paths = new Map<string, MessagePath>()
  for (const { row, direction, shapes, fromAgent } of [
    ...kinds.filter((kind) => kind.row.usual),
    ...kinds.filter((kind) => !kind.row.usual),
  ]) {
    const text = direction === 'request' ? row.requestText : row.responseText
    for (const path of shapes.flatMap(pathsOf)) {
      if (!paths.has(path)) paths.set(path, { path, surface: row.surface, direction, fromAgent, isText: path === text })
    }
  }
  return [...paths.values()]
}

/** Returns the paths in the message of an event, in predicate notation. */
export function eventPaths(mode: string, event: string): readonly string[] {
  const row = messageShapes(extractProtocol(mode)).find(({ surface }) => surface === event)
  return row === undefined ? [] : simplePaths(kindsOf(row, roleOf(mode)).flatMap((kind) => kind.shapes))
}

/** Returns the paths in the request that part of a state responds to. `keys` is the path of that part in the state. */
export function requestPaths(mode: string, keys: Path): readonly string[] {
  return simplePaths(requestAt(mode, keys)?.shapes ?? [])
}

/**
 * Returns the keys of a state mapping that the binding defines and protocol messages do not have, with descriptions.
 * `keys` is the path of the mapping in the state.
 */
export function stateKeysAt(mode: string, keys: Path): ReadonlyMap<string, string | undefined> {
  const names = keys.filter((step) => typeof step === 'string')
  const isEntry = keys.length === (typeof keys[1] === 'number' ? 2 : 1)
  const entry = isEntry ? entryKeys(mode, String(keys[0])) : []
  return new Map([
    ...entry.map((key) => [key, undefined] as const),
    ...textsBelow(findMode(mode)?.stateTexts ?? {}, names),
    ...textsOfAnswer(names, typeof keys.at(-1) === 'number'),
  ])
}

function textsOfAnswer(names: readonly string[], isItem: boolean): [key: string, text: string][] {
  const list = names.findLastIndex((name) => /(?:^|_)responses$/.test(name))
  return list >= 0 && (isItem || names.at(-1) === 'send') ? textsBelow(answerTexts, names.slice(list + 1)) : []
}

function textsBelow(texts: Texts, names: readonly string[]): [key: string, text: string][] {
  const start = names.map((name) => `${name}.`).join('')
  return Object.entries(texts).flatMap(([way, text]) => {
    const rest = way.startsWith(start) ? way.slice(start.length) : ''
    return rest === '' || rest.includes('.') ? [] : [[rest, text]]
  })
}

/** The sender on a surface and the top-level fields of its messages. */
export interface SurfaceFacts {
  readonly by: 'client' | 'server' | 'either'
  readonly request: readonly string[]
  readonly response: readonly string[]
}

export function surfaceFacts(protocol: string, surface: string): SurfaceFacts | undefined {
  const row = messageShapes(protocol).find((one) => one.surface === surface)
  if (row === undefined) return undefined
  return { by: senderOf(row), request: topKeys(row.request), response: topKeys(row.response) }
}

/** Returns the sender of messages. The other side sends messages that have no request, such as run events. */
function senderOf({ by, request }: MessageShapes): SurfaceFacts['by'] {
  if (by === 'either' || request !== undefined) return by
  return by === 'client' ? 'server' : 'client'
}

function topKeys(shape: Shape | undefined): readonly string[] {
  return shape === undefined ? [] : simplePaths([shape]).filter((path) => !path.includes('.'))
}

function simplePaths(shapes: readonly Shape[]): readonly string[] {
  return [...new Set(shapes.flatMap(pathsOf))].filter((path) => !path.includes('['))
}
