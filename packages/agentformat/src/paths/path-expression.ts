/** The grammar of path expressions: `source "." ("input" | "output") "." field ("." field | ".[]")*`. */
import { err, ok, type Result, type Suggestion, suggest, suggestion } from '@joust/source'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { quote } from '../model/quote.ts'

/** Whether an expression reads what an agent was given or what it gave. */
export type PathDirection = 'input' | 'output'

/** The segment that stands for each element of a list. */
export const EACH = '[]'

/** A path expression that was read. */
export interface PathExpression {
  /** `parent`, or the alias of a local agent. */
  readonly source: string
  readonly direction: PathDirection
  /** Field names, and at most one `[]`. */
  readonly segments: readonly string[]
  readonly text: string
}

/** Why a text is not a path expression, and where in it, counted from 1. */
export interface PathFault {
  readonly message: string
  readonly column: number
  readonly suggestion?: Suggestion
  /** Set when the grammar is kept and a rule about it is not. */
  readonly rule: 'P-01' | 'P-07'
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const FORM = 'a path expression is written source.input.field or source.output.field, for example parent.input.query'

/** Reads a path expression, or says what is wrong with it. */
export function parsePathExpression(text: string): Result<PathExpression, AgentDiagnostic> {
  const read = readPathExpression(text)
  if (read.ok) return read
  return err({ severity: 'error', code: 'invalid_path_expression', ...read.error })
}

/** The same, with the bare fault. */
export function readPathExpression(text: string): Result<PathExpression, PathFault> {
  if (typeof text !== 'string') return fault(`${FORM}; this is not text`, 1)
  if (text === '') return fault(`the path expression is empty; ${FORM}`, 1)
  const [source = '', direction, ...segments] = text.split('.')
  if (!NAME.test(source)) return fault(`${segmentFault(source)}; ${FORM}`, 1)
  const second = source.length + 2
  if (direction === undefined) return fault(`${quote(text)} names only a source; ${FORM}`, second - 1)
  if (direction !== 'input' && direction !== 'output') return err(directionFault(direction, second))
  const third = second + direction.length + 1
  if (segments.length === 0) return fault(`${quote(text)} names no field; ${FORM}`, third - 1)
  const wrong = segmentsFault(segments, third)
  return wrong === undefined ? ok({ source, direction, segments, text }) : err(wrong)
}

function fault(message: string, column: number): Result<never, PathFault> {
  return err({ message, column, rule: 'P-01' })
}

function directionFault(direction: string, column: number): PathFault {
  const message = `${quote(direction)} is where "input" or "output" belongs.`
  return { message, column, rule: 'P-01', ...suggestion('value', suggest(direction, ['input', 'output']), direction) }
}

function segmentsFault(segments: readonly string[], start: number): PathFault | undefined {
  let column = start
  let iterated = false
  for (const [index, segment] of segments.entries()) {
    if (segment === EACH) {
      if (index === 0) {
        const message = 'a path starts with a field name: a list at the root cannot be iterated with "[]"'
        return { message, column, rule: 'P-01' }
      }
      if (iterated)
        return { message: 'a path has at most one "[]": lists in lists are not iterated', column, rule: 'P-07' }
      iterated = true
    } else if (!NAME.test(segment)) return { message: segmentFault(segment), column, rule: 'P-01' }
    column += segment.length + 1
  }
  return undefined
}

function segmentFault(segment: string): string {
  if (segment === '') return 'a segment is empty: two dots in a row, or one at an end'
  const bracket = segment.indexOf('[')
  if (bracket > 0 && segment.endsWith(EACH)) {
    return `${quote(segment)} lacks a dot: write ${quote(`${segment.slice(0, bracket)}.[]`)}`
  }
  if (bracket >= 0 || /^\d+$/.test(segment) || segment === '*') {
    return `${quote(segment)} selects no element: a path cannot pick one, and "[]" stands for each`
  }
  return `${quote(segment)} is not a name: names have letters, digits and underscores and do not start with a digit`
}
