/** Parses a CEL expression with the library's parser, and adds checks that the parser lacks. */
import { parse } from '@bufbuild/cel'
import { defaultLimits, err, exceeded, type LimitName, type Limits, messageOf, ok, type Result } from '@joust/source'
import { scanCel } from './cel-text.ts'
import { isStackOverflow } from './step-meter.ts'

export type Expr = NonNullable<ReturnType<typeof parse>['expr']>

interface CelFault {
  readonly message: string
  readonly limit?: LimitName
}

const MACROS = new Set(['all', 'exists', 'exists_one', 'existsOne', 'filter', 'map'])
const INT = { least: -(2n ** 63n), most: 2n ** 63n - 1n }
const UINT = { least: 0n, most: 2n ** 64n - 1n }

export function celSyntaxError(expression: string, limits: Limits = defaultLimits): string | undefined {
  const read = readCel(expression, limits)
  return read.ok ? undefined : read.error.message
}

export function readCel(source: string, limits: Limits): Result<Expr, CelFault> {
  if (source.length > limits.celSource) return over(limits, 'celSource', source.length)
  const text = scanCel(source)
  if (text.badEscape !== undefined)
    return err({ message: `unknown escape ${text.badEscape.text} at ${position(source, text.badEscape.offset)}` })
  if (text.nesting > limits.celDepth) return over(limits, 'celDepth', text.nesting)
  const parsed = parseText(text.code, limits)
  if (!parsed.ok) return parsed
  const fault = faultIn(parsed.value, limits)
  return fault === undefined ? parsed : err(fault)
}

/** Returns the direct children of a node. */
export function partsOf(expr: Expr): readonly Expr[] {
  const kind = expr.exprKind
  switch (kind.case) {
    case 'selectExpr':
      return present([kind.value.operand])
    case 'callExpr':
      return present([kind.value.target, ...kind.value.args])
    case 'listExpr':
      return kind.value.elements
    case 'structExpr':
      return kind.value.entries.flatMap((entry) =>
        present([entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined, entry.value]),
      )
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = kind.value
      return present([iterRange, accuInit, loopCondition, loopStep, result])
    }
    default:
      return []
  }
}

function present(parts: readonly (Expr | undefined)[]): readonly Expr[] {
  return parts.filter((part) => part !== undefined)
}

function parseText(source: string, limits: Limits): Result<Expr, CelFault> {
  try {
    const { expr } = parse(source)
    return expr === undefined ? err({ message: 'the expression is empty' }) : ok(expr)
  } catch (error) {
    if (isStackOverflow(error)) return over(limits, 'celDepth')
    return err({ message: source.trim() === '' ? 'the expression is empty' : describe(error, source) })
  }
}

/** Describes a syntax error. The parser reports the last position that it could read, which is before the error. */
function describe(error: unknown, source: string): string {
  if (!hasLocation(error)) return messageOf(error)
  const where = position(source, error.location.start.offset)
  if (error.name === 'parse error' && hasReason(error)) return `${error.rawMessage} at ${where}`
  const hint = source.includes('`') ? '; write a field with a dash as a["b-c"], not a.`b-c`' : ''
  return `syntax error at ${where}${hint}`
}

function hasLocation(error: unknown): error is Error & { location: { start: { offset: number } } } {
  return error instanceof Error && 'location' in error
}

function hasReason(error: Error): error is Error & { rawMessage: string } {
  return 'rawMessage' in error && typeof error.rawMessage === 'string'
}

function position(source: string, offset: number): string {
  const lines = source.slice(0, offset).split('\n')
  const near = source.slice(offset, offset + 20).split('\n')[0] ?? ''
  const where = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
  return near === '' ? where : `${where} (\`${near}\`)`
}

/** Walks the tree without recursion, because its depth has not been checked yet. */
function faultIn(root: Expr, limits: Limits): CelFault | undefined {
  const pending: { expr: Expr; depth: number }[] = [{ expr: root, depth: 1 }]
  let nodes = 0
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    if (++nodes > limits.celNodes) return overLimit(limits, 'celNodes')
    if (job.depth > limits.celDepth) return overLimit(limits, 'celDepth')
    const fault = faultOf(job.expr)
    if (fault !== undefined) return { message: fault }
    for (const part of partsOf(job.expr)) pending.push({ expr: part, depth: job.depth + 1 })
  }
  return undefined
}

function faultOf({ exprKind: kind }: Expr): string | undefined {
  if (kind.case === 'callExpr') {
    const { function: name, target } = kind.value
    if (target === undefined ? name === 'has' : MACROS.has(name)) return `${name}() is used incorrectly`
  }
  if (kind.case === 'constExpr') {
    const constant = kind.value.constantKind
    if (constant.case === 'int64Value' && !within(constant.value, INT)) return 'number out of range for int'
    if (constant.case === 'uint64Value' && !within(constant.value, UINT)) return 'number out of range for uint'
    if (constant.case === 'doubleValue' && !Number.isFinite(constant.value)) return 'number out of range for double'
  }
  return undefined
}

function within(value: bigint, range: { least: bigint; most: bigint }): boolean {
  return value >= range.least && value <= range.most
}

function over(limits: Limits, limit: LimitName, actual?: number): Result<never, CelFault> {
  return err(overLimit(limits, limit, actual))
}

function overLimit(limits: Limits, limit: LimitName, actual?: number): CelFault {
  return { message: `the expression is ${exceeded(limits, limit, actual).message}`, limit }
}
