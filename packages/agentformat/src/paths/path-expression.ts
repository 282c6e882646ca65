/** Parses path expressions (Agent Format): `source "." ("input" | "output") "." field ("." field | ".[]")*`. */
import { err, ok, type Result, type Suggestion, suggest, suggestion } from '@joust/source'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { quote } from '../model/quote.ts'

/** The side of an agent that an expression reads. */
export type PathDirection = 'input' | 'output'

/** The segment that iterates over a list. */
export const EACH = '[]'

/** A parsed path expression. */
export interface PathExpression {
  /** `parent`, or the alias of a local agent. */
  readonly source: string
  readonly direction: PathDirection
  /** Field names, and at most one `[]`. */
  readonly segments: readonly string[]
  readonly text: string
}

/** A syntax error in a path expression. Columns start at 1. */
export interface PathFault {
  readonly message: string
  readonly column: number
  readonly suggestion?: Suggestion
  /** `P-07` if the path iterates twice but the grammar is correct. */
  readonly rule: 'P-01' | 'P-07'
}

const NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/
const FORM = 'expected source.input.field or source.output.field, for example parent.input.query'

/**
 * Parses a path expression. On failure, returns a diagnostic.
 *
 * @example
 * const parsed = parsePathExpression('parent.input.city')
 * if (parsed.ok) console.log(parsed.value.segments)
 */
export function parsePathExpression(text: string): Result<PathExpression, AgentDiagnostic> {
  const read = readPathExpression(text)
  if (read.ok) return read
  return err({ severity: 'error', code: 'invalid_path_expression', ...read.error })
}

/** Parses a path expression. Unlike in `parsePathExpression`, the error has neither a code nor a severity. */
export function readPathExpression(text: string): Result<PathExpression, PathFault> {
  if (typeof text !== 'string') return fault(`the path expression is not a string; ${FORM}`, 1)
  if (text === '') return fault(`empty path expression; ${FORM}`, 1)
  const [source = '', direction, ...segments] = text.split('.')
  if (!NAME.test(source)) return fault(`${segmentFault(source)}; ${FORM}`, 1)
  const second = source.length + 2
  if (direction === undefined) return fault(`${quote(text)} has only a source; ${FORM}`, second - 1)
  if (direction !== 'input' && direction !== 'output') return err(directionFault(direction, second))
  const third = second + direction.length + 1
  if (segments.length === 0) return fault(`${quote(text)} has no field; ${FORM}`, third - 1)
  const wrong = segmentsFault(segments, third)
  return wrong === undefined ? ok({ source, direction, segments, text }) : err(wrong)
}

function fault(message: string, column: number): Result<never, PathFault> {
  return err({ message, column, rule: 'P-01' })
}

function directionFault(direction: string, column: number): PathFault {
  const message = `expected "input" or "output", got ${quote(direction)}.`
  return { message, column, rule: 'P-01', ...suggestion('value', suggest(direction, ['input', 'output']), direction) }
}

function segmentsFault(segments: readonly string[], start: number): PathFault | undefined {
  let column = start
  let iterated = false
  for (const [index, segment] of segments.entries()) {
    if (segment === EACH) {
      if (index === 0) {
        const message = 'a path must start with a field name: "[]" cannot iterate over the root'
        return { message, column, rule: 'P-01' }
      }
      if (iterated)
        return { message: 'a path has at most one "[]": nested lists cannot be iterated', column, rule: 'P-07' }
      iterated = true
    } else if (!NAME.test(segment)) return { message: segmentFault(segment), column, rule: 'P-01' }
    column += segment.length + 1
  }
  return undefined
}

function segmentFault(segment: string): string {
  if (segment === '') return 'empty segment: consecutive dots, or a dot at the start or end'
  const bracket = segment.indexOf('[')
  if (bracket > 0 && segment.endsWith(EACH))
    return `missing dot in ${quote(segment)}: write ${quote(`${segment.slice(0, bracket)}.[]`)}`
  if (bracket >= 0 || /^\d+$/.test(segment) || segment === '*')
    return `${quote(segment)} is not supported: a path cannot select an element, only iterate with "[]"`
  return `invalid name ${quote(segment)}: expected letters, digits and underscores, not starting with a digit`
}
