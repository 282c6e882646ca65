import type { Position } from '../model/diagnostic.ts'
import { defaultLimits, type Limits } from '../model/limits.ts'
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
import { explainFault } from './yaml-fault.ts'

/** A source with the tree of its offsets, for code that edits text. */
export interface OpenSource extends Source {
  outline(): OutlineNode
  /** Without what is inside flow collections; not cached. */
  blocks(): OutlineNode
}

/** Reads one YAML 1.2 (or JSON) document safely. Never throws, never hangs; see the limits. */
export function readSource(text: string, limits: Limits = defaultLimits): Result<Source, SourceDiagnostic[]> {
  return openSource(text, limits)
}

/** The same, with the tree of offsets. */
export function openSource(text: string, limits: Limits = defaultLimits): Result<OpenSource, SourceDiagnostic[]> {
  if (typeof text !== 'string') return unreadable('syntax', 'expected a text')
  const bytes = utf8Length(text, limits.yamlBytes)
  if (bytes > limits.yamlBytes) return overLimit(limits, 'yamlBytes', bytes)

  // js-yaml counts the innermost scalar as a level and the look for a key as another; the events are counted exactly.
  const parsed = readEvents(text, limits.yamlDepth + 2)
  if ('fault' in parsed) return explainFault(parsed.fault, text, limits)
  const { events } = parsed
  const refusal = checkEvents(events, text, limits)
  if (refusal !== undefined) return refusal

  const plain = plainValue(events, text)
  const built = plain ?? readValue(events, text)
  if ('fault' in built) return explainFault(built.fault, text, limits, events)
  // The core schema builds nothing but JSON values; non-finite numbers are refused.
  return ok(sourceOf(text, built.value as Value, events, plain !== undefined))
}

/** What must be known before a value is built: one document, within its depth, aliases that end. */
function checkEvents(
  events: readonly YamlEvent[],
  text: string,
  limits: Limits,
): Result<never, SourceDiagnostic[]> | undefined {
  let documents = 0
  let aliases = 0
  let depth = -1 // the document itself is popped as well
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
    const message = `the text holds ${documents} YAML documents; it must hold one`
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
    return unreadable('alias-cycle', `alias *${use.name} is inside its own anchor`, position)
  }
  if (use.nodes > limits.yamlAliasNodes) return overLimit(limits, 'yamlAliasNodes', use.nodes)
  if (use.depth > limits.yamlDepth) return overLimit(limits, 'yamlDepth', use.depth)
  // One long scalar behind many aliases is a bomb as well: few nodes, endless text once it is written out.
  if (use.characters > limits.yamlBytes) return overLimit(limits, 'yamlBytes', use.characters)
  return undefined
}

/** Where the second document has its first text; an empty one has none, and then the text's end must do. */
function secondDocument(events: readonly YamlEvent[], text: string): number {
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
  const node = events[second + 1]
  if (node?.type === EVENT_ID.MAPPING || node?.type === EVENT_ID.SEQUENCE) return node.start
  if (node?.type === EVENT_ID.SCALAR && node.valueStart >= 0) return node.valueStart
  return text.length
}

/** What was read; the tree of offsets and the like are made when they are first asked for. */
function sourceOf(text: string, value: Value, events: YamlEvent[], plain: boolean): OpenSource {
  let lines: Lines | undefined
  let tree: OutlineNode | undefined
  let found: readonly Construct[] | undefined
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
      // A plain document has no other constructs, and looking for them takes long.
      found ??= plain && !/<<|%TAG/.test(text) ? [] : findConstructs(events, text)
      return found
    },
  }
}

/** Offsets of all comments: a `#` outside every scalar, at the start of a line or after white space. Linear. */
function findComments(events: readonly YamlEvent[], text: string): number[] {
  const found: number[] = []
  let from = 0
  // The next `#` is looked for once, not once per gap: a text may have many gaps and no comment.
  let hash = text.indexOf('#')
  for (const event of events) {
    if (hash < 0) break
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue
    hash = collectComments(text, hash, from, event.valueStart, found)
    from = event.valueEnd
  }
  collectComments(text, hash, from, text.length, found)
  return found
}

/** Collects the comments of a gap between scalars and returns the first `#` after it. */
function collectComments(text: string, first: number, from: number, to: number, found: number[]): number {
  let hash = first >= 0 && first < from ? text.indexOf('#', from) : first
  while (hash >= 0 && hash < to) {
    const opens = hash === 0 || /\s/.test(text.charAt(hash - 1))
    if (opens) found.push(hash)
    hash = text.indexOf('#', opens ? lineEnd(text, hash) : hash + 1)
  }
  return hash
}
