import type { Position } from '../model/diagnostic.ts'
import { type Limits, withLimits } from '../model/limits.ts'
import { ok, type Result } from '../model/result.ts'
import {
  type Construct,
  type Location,
  overLimit,
  type Source,
  type SourceDiagnostic,
  unreadable,
} from '../model/source.ts'
import type { Value } from '../model/value.ts'
import { utf8Length } from '../text/length.ts'
import { Lines } from '../text/lines.ts'
import { measureAliases } from './aliases.ts'
import { findConstructs } from './constructs.ts'
import { buildOutline, findNode, type OutlineNode } from './outline.ts'
import { plainValue } from './plain-value.ts'
import { lineEnd } from './scan.ts'
import { EVENT_ID, readEvents, readValue, type YamlEvent } from './yaml.ts'
import { explainYamlError } from './yaml-error.ts'

/** A source with its tree of offsets, for editing the text. */
export interface OpenSource extends Source {
  outline(): OutlineNode
  /** Returns the outline without the content of flow collections. Not cached. */
  blocks(): OutlineNode
}

/**
 * Parses a single YAML 1.2 or JSON document. Never throws. The limits bound the time.
 *
 * @example
 * const source = readSource('a: 1')
 */
export function readSource(text: string, limits?: Partial<Limits>): Result<Source, SourceDiagnostic[]> {
  return openSource(text, limits)
}

/** Like `readSource`, but returns the source with its tree of offsets. */
export function openSource(text: string, changes?: Partial<Limits>): Result<OpenSource, SourceDiagnostic[]> {
  const limits = withLimits(changes)
  if (typeof text !== 'string') return unreadable('syntax', 'expected a string')
  const bytes = utf8Length(text, limits.yamlBytes)
  if (bytes > limits.yamlBytes) return overLimit(limits, 'yamlBytes', bytes)

  // js-yaml counts two additional levels, for the innermost scalar and its key. `checkEvents` counts exactly.
  const parsed = readEvents(text, limits.yamlDepth + 2)
  if ('error' in parsed) return explainYamlError(parsed.error, text, limits)
  const { events } = parsed
  const refusal = checkEvents(events, text, limits)
  if (refusal !== undefined) return refusal

  const plain = plainValue(events, text)
  const built = plain ?? readValue(events, text)
  if ('error' in built) return explainYamlError(built.error, text, limits, events)
  // The core schema builds only JSON values. Non-finite numbers are rejected.
  return ok(sourceOf(text, built.value as Value, events, plain !== undefined))
}

/** Checks the events before a value is built: a single document, its depth, and no circular or exploding aliases. */
function checkEvents(
  events: readonly YamlEvent[],
  text: string,
  limits: Limits,
): Result<never, SourceDiagnostic[]> | undefined {
  let documents = 0
  let aliases = 0
  let depth = -1 // the document itself is a level
  let deepest = 0
  for (const { type } of events) {
    if (type === EVENT_ID.SCALAR) continue
    if (type === EVENT_ID.POP) depth--
    else if (type === EVENT_ID.ALIAS) aliases++
    else {
      if (type === EVENT_ID.DOCUMENT) documents++
      if (++depth > deepest) deepest = depth
    }
  }
  if (documents === 0) return unreadable('empty', 'the document is empty', { line: 1, column: 1 })
  if (documents > 1) {
    const message = `expected one YAML document, got ${documents}`
    return unreadable('several-documents', message, new Lines(text).position(secondDocument(events, text)))
  }
  if (deepest > limits.yamlDepth) return overLimit(limits, 'yamlDepth', deepest)
  return aliases === 0 ? undefined : checkAliases(events, text, limits)
}

function checkAliases(
  events: readonly YamlEvent[],
  text: string,
  limits: Limits,
): Result<never, SourceDiagnostic[]> | undefined {
  const use = measureAliases(events, text)
  if (use.kind === 'cycle') {
    const position = new Lines(text).position(use.offset)
    return unreadable('alias-cycle', `circular alias *${use.name}: it is inside its own anchor`, position)
  }
  if (use.nodes > limits.yamlAliasNodes) return overLimit(limits, 'yamlAliasNodes', use.nodes)
  if (use.depth > limits.yamlDepth) return overLimit(limits, 'yamlDepth', use.depth)
  // A long scalar behind many aliases is also a bomb: few nodes, but a huge text when expanded.
  if (use.characters > limits.yamlBytes) return overLimit(limits, 'yamlBytes', use.characters)
  return undefined
}

/** Returns the offset of the second document's content, or the end of the text if that document is empty. */
function secondDocument(events: readonly YamlEvent[], text: string): number {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
  const node = events[second + 1]
  if (node?.type === EVENT_ID.MAPPING || node?.type === EVENT_ID.SEQUENCE) return node.start
  if (node?.type === EVENT_ID.SCALAR && node.valueStart >= 0) return node.valueStart
  return text.length
}

/** Creates the source. The outline, line table and constructs are built on first use. */
function sourceOf(text: string, value: Value, events: YamlEvent[], plain: boolean): OpenSource {
  let lines: Lines | undefined
  let tree: OutlineNode | undefined
  let constructs: readonly Construct[] | undefined
  const outline = (): OutlineNode => {
    tree ??= buildOutline(events, text, plain)
    return tree
  }
  const position = (offset: number): Position => {
    lines ??= new Lines(text)
    return lines.position(offset)
  }
  const range = (start: number, end: number): Location => {
    const [from, to] = [position(start), position(end)]
    return to.line === from.line && to.column > from.column ? { ...from, end_column: to.column } : from
  }
  return {
    text,
    value,
    position,
    outline,
    blocks: () => buildOutline(events, text, plain, true),
    comments: () => findComments(events, text),
    locate(path) {
      const { node, whole } = findNode(outline(), path)
      return whole ? range(node.start, node.end) : range(node.keyStart ?? node.start, node.keyEnd ?? node.start)
    },
    locateKey(path) {
      const { node } = findNode(outline(), path)
      return range(node.keyStart ?? node.start, node.keyEnd ?? node.end)
    },
    constructs() {
      // A plain document has no other constructs, and searching for them is slow.
      constructs ??= plain && !/<<|%TAG/.test(text) ? [] : findConstructs(events, text)
      return constructs
    },
  }
}

/** Returns the offset of each comment: a `#` outside scalars, at the start of a line or after white space. Linear. */
function findComments(events: readonly YamlEvent[], text: string): number[] {
  const comments: number[] = []
  let from = 0
  // Search for the next `#` only once, not once per gap, because a text may have many gaps and no comment.
  let hash = text.indexOf('#')
  for (const event of events) {
    if (hash < 0) break
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue
    hash = collectComments(text, hash, from, event.valueStart, comments)
    from = event.valueEnd
  }
  collectComments(text, hash, from, text.length, comments)
  return comments
}

/** Collects the comments in a gap between scalars. Returns the first `#` after it. */
function collectComments(text: string, first: number, from: number, to: number, comments: number[]): number {
  let hash = first >= 0 && first < from ? text.indexOf('#', from) : first
  while (hash >= 0 && hash < to) {
    const opens = hash === 0 || /\s/.test(text.charAt(hash - 1))
    if (opens) comments.push(hash)
    hash = text.indexOf('#', opens ? lineEnd(text, hash) : hash + 1)
  }
  return hash
}
