import { measureAliases } from './aliases.ts'
import { findComments } from './comments.ts'
import { type Construct, findConstructs, hasConstructs } from './constructs.ts'
import type { Diagnostic, Position } from './diagnostic.ts'
import { defaultLimits, exceeded, type Limits } from './limits.ts'
import { Lines } from './lines.ts'
import { buildOutline, findNode, type OutlineNode } from './outline.ts'
import type { Path } from './path.ts'
import { err, ok, type Result } from './result.ts'
import type { Value } from './value.ts'
import { EVENT_ID, NON_FINITE, readEvents, readValue, type YamlEvent } from './yaml.ts'

/** Why a text could not be read. The message of a `limit` names it. */
export type SourceCode = 'syntax' | 'empty' | 'several-documents' | 'alias-cycle' | 'limit'

/** A finding of the reader: always an error, with a position where there is one. */
export type SourceDiagnostic = Diagnostic & { readonly severity: 'error'; readonly code: SourceCode }

/** A stretch of text on one line. */
export type Location = Position & { readonly end_column?: number }

/** A text that was read: its value, and where everything stands. */
export interface Source {
  readonly text: string
  readonly value: Value
  /** Where the value of a path stands; for a path that is not there, its nearest ancestor's key. */
  locate(path: Path): Location
  /** Where the key of a path stands. */
  locateKey(path: Path): Location
  /** Where an offset stands. */
  position(offset: number): Position
  /** Anchors, aliases, merge keys, custom tags and tag directives, in document order. */
  constructs(): readonly Construct[]
  /** Offsets of the comments, which a value does not keep. */
  comments(): readonly number[]
}

/** Reads one YAML 1.2 (or JSON) document safely. Never throws, never hangs; see the limits. */
export function readSource(text: string, limits: Limits = defaultLimits): Result<Source, SourceDiagnostic[]> {
  const bytes = utf8Length(text, limits.yamlBytes)
  if (bytes > limits.yamlBytes) return fail('limit', exceeded(limits, 'yamlBytes', bytes).message)

  const parsed = readEvents(text, limits.yamlDepth)
  if ('fault' in parsed) return faulty(text, limits, parsed.fault.reason, parsed.fault.offset)
  const { events } = parsed

  const documents = events.filter((event) => event.type === EVENT_ID.DOCUMENT).length
  if (documents === 0) return fail('empty', 'the document is empty', { line: 1, column: 1 })
  if (documents > 1) {
    return fail(
      'several-documents',
      `the text holds ${documents} YAML documents, it must hold one`,
      secondDocument(events, text),
    )
  }
  if (events.some((event) => event.type === EVENT_ID.ALIAS)) {
    const use = measureAliases(events, text)
    if (use.kind === 'cycle') {
      return fail(
        'alias-cycle',
        `alias *${use.name} stands inside its own anchor`,
        new Lines(text).position(use.offset),
      )
    }
    if (use.nodes > limits.yamlAliasNodes) return fail('limit', exceeded(limits, 'yamlAliasNodes', use.nodes).message)
  }

  const built = readValue(events, text)
  if ('fault' in built) {
    const offset = built.fault.reason === NON_FINITE ? findNonFinite(events, text) : built.fault.offset
    return faulty(text, limits, built.fault.reason, offset)
  }
  // The core schema builds nothing but JSON values; non-finite numbers were refused above.
  return ok(new ReadSource(text, built.value as Value, events))
}

class ReadSource implements Source {
  readonly text: string
  readonly value: Value
  readonly #events: readonly YamlEvent[]
  #lines: Lines | undefined
  #outline: OutlineNode | undefined

  constructor(text: string, value: Value, events: readonly YamlEvent[]) {
    this.text = text
    this.value = value
    this.#events = events
  }

  locate(path: Path): Location {
    const { node, whole } = this.#find(path)
    return whole
      ? this.#range(node.start, node.end)
      : this.#range(node.keyStart ?? node.start, node.keyEnd ?? node.start)
  }

  locateKey(path: Path): Location {
    const { node } = this.#find(path)
    return this.#range(node.keyStart ?? node.start, node.keyEnd ?? node.end)
  }

  position(offset: number): Position {
    this.#lines ??= new Lines(this.text)
    return this.#lines.position(offset)
  }

  constructs(): readonly Construct[] {
    return hasConstructs(this.#events, this.text) ? findConstructs(this.#events, this.text) : []
  }

  comments(): readonly number[] {
    return findComments(this.#events, this.text)
  }

  #find(path: Path): ReturnType<typeof findNode> {
    this.#outline ??= buildOutline(this.#events, this.text)
    return findNode(this.#outline, path)
  }

  #range(start: number, end: number): Location {
    const from = this.position(start)
    const to = this.position(end)
    return to.line === from.line && to.column > from.column ? { ...from, end_column: to.column } : from
  }
}

function fail(code: SourceCode, message: string, position?: Position): Result<never, SourceDiagnostic[]> {
  return err([{ severity: 'error', code, message, ...position }])
}

function faulty(
  text: string,
  limits: Limits,
  reason: string,
  offset: number | undefined,
): Result<never, SourceDiagnostic[]> {
  const position = offset === undefined ? undefined : new Lines(text).position(offset)
  if (/maxDepth|nested too deeply/.test(reason)) return fail('limit', exceeded(limits, 'yamlDepth').message, position)
  return fail('syntax', explain(reason), position)
}

function explain(reason: string): string {
  if (reason.includes('complex keys')) return 'a mapping key must be a scalar; a value that starts with {{ needs quotes'
  if (reason.includes('duplicated mapping key')) return 'this key stands twice in its mapping'
  return reason
}

/** UTF-8 length, counted exactly only when it could matter. */
function utf8Length(text: string, maximum: number): number {
  if (text.length > maximum || text.length * 3 <= maximum) return text.length
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 2
    else if (unit > 0x7f) bytes += 1 // a surrogate pair is two units and four bytes
  }
  return bytes
}

function secondDocument(events: readonly YamlEvent[], text: string): Position | undefined {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
  const node = events[second + 1]
  const offset =
    node?.type === EVENT_ID.SCALAR
      ? node.valueStart
      : node?.type === EVENT_ID.MAPPING || node?.type === EVENT_ID.SEQUENCE
        ? node.start
        : -1
  return new Lines(text).position(offset >= 0 ? offset : text.length)
}

function findNonFinite(events: readonly YamlEvent[], text: string): number | undefined {
  const event = events.find(
    (candidate) =>
      candidate.type === EVENT_ID.SCALAR &&
      /^[-+]?\.(?:inf|nan)$/i.test(text.slice(candidate.valueStart, candidate.valueEnd)),
  )
  return event?.type === EVENT_ID.SCALAR ? event.valueStart : undefined
}
