/** JSONPath filters (RFC 9535 §2.3.5 and §2.4). */
import {
  compareCodePoints,
  countCodePoints,
  deepEqual,
  exactInteger,
  isList,
  isNumeric,
  isRecord,
  type Value,
} from '@joust/source'
import { type JSONPathQuery, jsonpath } from 'json-p3'
import type { IRegexps } from './i-regexp.ts'
import type { StepMeter } from './step-meter.ts'

export interface PathRun {
  readonly root: Value
  readonly meter: StepMeter
  readonly regexes: IRegexps
}

/** Visits a node. Returns true to end the run. */
export type Visit = (node: Value) => boolean

/** Visits the nodes below a value until one ends the run. Returns true if one did. */
export type PathStep = (value: Value, run: PathRun, take: Visit) => boolean

type PlanQuery = (query: JSONPathQuery) => PathStep

type Expression = jsonpath.expressions.FilterExpression
type Test = (node: Value, run: PathRun) => boolean
/** A value, or undefined for RFC 9535's Nothing. */
type Operand = (node: Value, run: PathRun) => Value | undefined

export function planTest(expression: Expression, planQuery: PlanQuery): Test {
  const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } = jsonpath.expressions
  if (expression instanceof LogicalExpression) return planTest(expression.expression, planQuery)
  if (expression instanceof PrefixExpression) {
    const test = planTest(expression.right, planQuery)
    return (node, run) => !test(node, run)
  }
  if (expression instanceof InfixExpression)
    return expression.logical ? planLogical(expression, planQuery) : planComparison(expression, planQuery)
  if (expression instanceof FilterQuery) {
    const first = planFirst(expression, planQuery)
    return (node, run) => first(node, run) !== undefined
  }
  if (expression instanceof FunctionExtension) return planRegex(expression, planQuery)
  // The parser rejects a single literal.
  return () => false
}

function planLogical({ left, right, operator }: jsonpath.expressions.InfixExpression, planQuery: PlanQuery): Test {
  const [first, second] = [planTest(left, planQuery), planTest(right, planQuery)]
  return operator === '&&'
    ? (node, run) => first(node, run) && second(node, run)
    : (node, run) => first(node, run) || second(node, run)
}

function planComparison({ left, right, operator }: jsonpath.expressions.InfixExpression, planQuery: PlanQuery): Test {
  const [first, second] = [planOperand(left, planQuery), planOperand(right, planQuery)]
  return (node, run) => {
    run.meter.spend(1)
    return compare(first(node, run), operator, second(node, run), run)
  }
}

function compare(left: Value | undefined, operator: string, right: Value | undefined, run: PathRun): boolean {
  switch (operator) {
    case '==':
      return equal(left, right, run)
    case '!=':
      return !equal(left, right, run)
    case '<':
      return less(left, right, run)
    case '>':
      return less(right, left, run)
    case '<=':
      return less(left, right, run) || equal(left, right, run)
    default:
      return less(right, left, run) || equal(left, right, run)
  }
}

function equal(left: Value | undefined, right: Value | undefined, run: PathRun): boolean {
  return left === undefined || right === undefined ? left === right : equalValues(left, right, run.meter)
}

function less(left: Value | undefined, right: Value | undefined, run: PathRun): boolean {
  if (isNumeric(left) && isNumeric(right)) return left < right
  if (typeof left !== 'string' || typeof right !== 'string') return false
  run.meter.spendText(Math.min(left.length, right.length))
  return compareCodePoints(left, right) < 0
}

function planOperand(expression: Expression, planQuery: PlanQuery): Operand {
  const { BooleanLiteral, FilterQuery, FunctionExtension, NumberLiteral, StringLiteral } = jsonpath.expressions
  if (expression instanceof FilterQuery) return planFirst(expression, planQuery)
  if (expression instanceof FunctionExtension) return planFunction(expression, planQuery)
  if (expression instanceof NumberLiteral) {
    const number = exactInteger(expression.token.value, expression.value)
    return () => number
  }
  if (expression instanceof StringLiteral || expression instanceof BooleanLiteral) {
    const { value } = expression
    return () => value
  }
  return () => null
}

function planFirst(query: jsonpath.expressions.FilterQuery, planQuery: PlanQuery): Operand {
  const steps = planNodes(query, planQuery)
  return (node, run) => {
    let first: Value | undefined
    steps(node, run, (nodes) => {
      first = nodes
      return true
    })
    return first
  }
}

function planNodes(query: jsonpath.expressions.FilterQuery, planQuery: PlanQuery): PathStep {
  const steps = planQuery(query.path)
  const fromRoot = query instanceof jsonpath.expressions.RootQuery
  return (node, run, take) => {
    run.meter.spend(1)
    return steps(fromRoot ? run.root : node, run, take)
  }
}

function planFunction(
  { name, args: [argument] }: jsonpath.expressions.FunctionExtension,
  planQuery: PlanQuery,
): Operand {
  if (argument === undefined) return () => undefined
  if (name === 'length') {
    const operand = planOperand(argument, planQuery)
    return (node, run) => lengthOf(operand(node, run), run)
  }
  // For `count` and `value`, the other functions that return a value, the parser accepts only queries.
  const nodes = argument instanceof jsonpath.expressions.FilterQuery ? planNodes(argument, planQuery) : undefined
  if (nodes === undefined) return () => undefined
  return name === 'count' ? countNodes(nodes) : onlyNode(nodes)
}

function lengthOf(value: Value | undefined, run: PathRun): number | undefined {
  if (isList(value)) return value.length
  if (typeof value === 'string') {
    run.meter.spendText(value.length)
    return countCodePoints(value)
  }
  if (!isRecord(value)) return undefined
  const { length } = Object.keys(value)
  run.meter.spendItems(length)
  return length
}

function countNodes(nodes: PathStep): Operand {
  return (node, run) => {
    let count = 0
    nodes(node, run, () => {
      count++
      return false
    })
    return count
  }
}

function onlyNode(nodes: PathStep): Operand {
  return (node, run) => {
    const matches: Value[] = []
    nodes(node, run, (each) => matches.push(each) > 1)
    return matches.length === 1 ? matches[0] : undefined
  }
}

function planRegex({ name, args }: jsonpath.expressions.FunctionExtension, planQuery: PlanQuery): Test {
  const [text, pattern] = args.map((argument) => planOperand(argument, planQuery))
  if (text === undefined || pattern === undefined) return () => false
  return (node, run) => {
    run.meter.spend(1)
    const [subject, regex] = [text(node, run), pattern(node, run)]
    if (typeof subject !== 'string' || typeof regex !== 'string') return false
    return run.regexes.test(regex, subject, run.meter, name === 'match' ? 'testWhole' : 'test')
  }
}

export function equalValues(left: Value, right: Value, meter: StepMeter): boolean {
  return deepEqual(left, right, (a, b) => {
    meter.spendItems(1)
    if (isList(a)) meter.spendItems(a.length)
    else if (isRecord(a) && isRecord(b)) meter.spendItems(Object.keys(a).length)
    else if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) meter.spendText(a.length)
  })
}
