/** Reads JSONPath (RFC 9535) with json-p3's parser. Nothing else of json-p3 runs on a message. */
import { err, exceeded, type LimitName, type Limits, messageOf, ok, type Result } from '@joust/source'
import { JSONPathEnvironment, JSONPathError, JSONPathLexerError, type JSONPathQuery } from 'json-p3'
import { isStackOverflow } from './step-meter.ts'

/** The reason why a text is rejected; `limit` is set if it exceeds a limit. */
interface JsonPathFault {
  readonly message: string
  readonly limit?: LimitName
}

const environment = new JSONPathEnvironment()

/** Parses an expression. Its segments and its brackets count as levels, because both add depth when it runs. */
export function readJsonPath(source: string, limits: Limits): Result<JSONPathQuery, JsonPathFault> {
  if (source === '') return err({ message: 'the expression is empty' })
  if (source.length > limits.jsonPathSource) return over(limits, 'jsonPathSource', source.length)
  const nesting = nestingOf(source)
  if (nesting > limits.jsonPathDepth) return over(limits, 'jsonPathDepth', nesting)
  try {
    const query = environment.compile(source)
    const { length } = query.segments
    return length > limits.jsonPathDepth ? over(limits, 'jsonPathDepth', length) : ok(query)
  } catch (error) {
    if (isStackOverflow(error)) return over(limits, 'jsonPathDepth')
    return err({ message: describe(error, source) })
  }
}

function nestingOf(source: string): number {
  let depth = 0
  let nesting = 0
  for (const [token] of source.matchAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[[\](){}]/gs)) {
    if (token === '[' || token === '(') nesting = Math.max(nesting, ++depth)
    else if (token === ']' || token === ')') depth--
  }
  return nesting
}

/** The library's messages name its tokens and end with a piece of the expression, where the position says more. */
function describe(error: unknown, source: string): string {
  if (source !== source.trim()) return 'the expression has whitespace around it'
  if (!(error instanceof JSONPathError)) return messageOf(error)
  const where = `at character ${error.token.index + 1}`
  if (error instanceof JSONPathLexerError) return `the expression ends too early ${where}`
  const reason = error.message.replace(/ \('.*':\d+\)$/s, '')
  return `${reason.replace(/'(?:TOKEN_)?([A-Z_]+)'/g, (_, name: string) => name.toLowerCase())} ${where}`
}

function over(limits: Limits, limit: LimitName, actual?: number): Result<never, JsonPathFault> {
  return err({ message: `the expression is ${exceeded(limits, limit, actual).message}`, limit })
}
