/** What can be written where, for editors: the tables of the bindings, queried for one place in a document. */
import { isRecord, type Path, type Value } from '@joust/source'
import { answerTexts, roleOf, type Texts } from './bindings/binding.ts'
import { messageShapes } from './bindings/message-shapes.ts'
import type { MessageShapes, Shape } from './bindings/shape.ts'
import { pathsOf } from './bindings/shape-paths.ts'
import { findBinding, findMode } from './bindings/table.ts'
import { kindsFor, kindsOf } from './lint/message-kinds.ts'
import { entryKeys } from './lint/state-entries.ts'
import { requestAt } from './lint/state-requests.ts'
import type { Document } from './model/document.ts'
import { extractProtocol } from './primitives/extract-protocol.ts'
import { type IndicatorSite, type Walk, walkDocument } from './rules/walk.ts'

export { findBinding, findMode } from './bindings/table.ts'
export { BAIT, type Plants, parsePath, plantsIn } from './exposure/bait.ts'
export { messageAt } from './lint/state-messages.ts'
export { extractProtocol } from './primitives/extract-protocol.ts'
export { indicatorId } from './primitives/indicator-id.ts'
export { TASK } from './rules/task.ts'
export { crossActorReference, isMessageReference } from './rules/templates.ts'
export type { ActorSite, IndicatorSite, PhaseSite, TemplateSite, Walk } from './rules/walk.ts'
export { indicatorSites } from './rules/walk.ts'
export { editorSchema } from './schema.ts'

/** The parts of a value that may be a document, whatever its content. */
export function walkValue(value: Value): Walk {
  const nothing = () => undefined
  // The walk checks whatever it reads; it is not asked to check expressions.
  const document = (isRecord(value) ? value : {}) as unknown as Document
  const regex = () => ({ ok: true, value: { groupCount: 0 } }) as const
  return walkDocument(document, { cel: nothing, jsonPath: nothing, path: nothing, regex })
}

/** The surfaces of a protocol; empty for one of another binding. */
export function surfacesOf(protocol: string): readonly string[] {
  return findBinding(protocol)?.surfaces ?? []
}

/** A path that some message has. */
export interface MessagePath {
  readonly path: string
  readonly surface: string
  readonly direction: 'request' | 'response'
  /** Whether the agent sends it, rather than the attacker. */
  readonly fromAgent: boolean
  /** Whether it leads to the text that people and models write to each other. */
  readonly isText: boolean
}

/** The paths in the messages that an indicator looks at, those of usual messages first. */
export function targetsFor(walk: Walk, indicator: IndicatorSite): readonly MessagePath[] {
  const kinds = kindsFor(walk, indicator)
  const found = new Map<string, MessagePath>()
  for (const { row, direction, shapes, fromAgent } of [
    ...kinds.filter((kind) => kind.row.usual),
    ...kinds.filter((kind) => !kind.row.usual),
  ]) {
    const text = direction === 'request' ? row.requestText : row.responseText
    for (const path of shapes.flatMap(pathsOf)) {
      if (!found.has(path)) found.set(path, { path, surface: row.surface, direction, fromAgent, isText: path === text })
    }
  }
  return [...found.values()]
}

/** The paths that the message of an event has, as a predicate writes them. */
export function eventPaths(mode: string, event: string): readonly string[] {
  const row = messageShapes(extractProtocol(mode)).find(({ surface }) => surface === event)
  return row === undefined ? [] : simplePaths(kindsOf(row, roleOf(mode)).flatMap((kind) => kind.shapes))
}

/** The paths in the request that a part of a state answers; `keys` lead to that part from the state. */
export function requestPaths(mode: string, keys: Path): readonly string[] {
  return simplePaths(requestAt(mode, keys)?.shapes ?? [])
}

/**
 * The keys of a mapping in a state, which is found by its keys from the state, as far as its binding knows them. Each
 * has its sentence, unless a message of the protocol has that.
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

/** The sentences about the next keys after some. */
function textsBelow(texts: Texts, names: readonly string[]): [key: string, text: string][] {
  const start = names.map((name) => `${name}.`).join('')
  return Object.entries(texts).flatMap(([way, text]) => {
    const rest = way.startsWith(start) ? way.slice(start.length) : ''
    return rest === '' || rest.includes('.') ? [] : [[rest, text]]
  })
}

/** The messages of a surface: who sends the request, or what comes without one, and what they hold at the top. */
export interface SurfaceFacts {
  readonly by: 'client' | 'server' | 'either'
  readonly request: readonly string[]
  readonly response: readonly string[]
}

/** What is known about a surface. */
export function surfaceFacts(protocol: string, surface: string): SurfaceFacts | undefined {
  const row = messageShapes(protocol).find((one) => one.surface === surface)
  if (row === undefined) return undefined
  return { by: senderOf(row), request: topKeys(row.request), response: topKeys(row.response) }
}

/** What only answers, as events of a run do, comes from the other side. */
function senderOf({ by, request }: MessageShapes): SurfaceFacts['by'] {
  if (by === 'either' || request !== undefined) return by
  return by === 'client' ? 'server' : 'client'
}

function topKeys(shape: Shape | undefined): readonly string[] {
  return shape === undefined ? [] : simplePaths([shape]).filter((path) => !path.includes('.'))
}

/** Predicates and templates have no wildcards. */
function simplePaths(shapes: readonly Shape[]): readonly string[] {
  return [...new Set(shapes.flatMap(pathsOf))].filter((path) => !path.includes('['))
}
