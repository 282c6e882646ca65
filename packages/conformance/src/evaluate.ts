/** Checks the cases of `evaluate/`: one indicator against one message. */
import {
  createCelEvaluator,
  type Evaluators,
  evaluateIndicator,
  type Indicator,
  type SemanticEvaluator,
} from '@joust/oatf'
import { isRecord, ok, own, type Value, type ValueRecord } from '@joust/source'
import { type Failure, type FixtureCase, fields, unknownShape } from './case.ts'

const RESULTS: readonly Value[] = ['matched', 'not_matched', 'error', 'skipped']

/** Compares the result and, if the case expects an error kind, the error kind. */
export function checkEvaluation({ input, expected, expectedErrorKind }: FixtureCase): Failure | undefined {
  const record = fields(input, ['indicator', 'message'], ['cel_evaluator', 'semantic_evaluator'])
  const indicator = record && own(record, 'indicator')
  const evaluators = record && readEvaluators(record)
  if (record === undefined || !isRecord(indicator) || evaluators === undefined) return unknownShape('input', input)
  if (!RESULTS.includes(expected)) return unknownShape('expected', expected)

  // The indicator of a fixture is not validated, because evaluation must accept any value.
  const verdict = evaluateIndicator(indicator as unknown as Indicator, own(record, 'message') ?? null, evaluators)
  const actual = `${verdict.result}${verdict.evidence === undefined ? '' : ` (${verdict.evidence})`}`
  if (verdict.result !== expected) return { expected: String(expected), actual }
  if (expectedErrorKind === undefined || verdict.evidence?.startsWith(`${expectedErrorKind}:`)) return undefined
  return { expected: `error (${expectedErrorKind}: …)`, actual }
}

/** Reads `cel_evaluator` (present by default) and `semantic_evaluator` (absent by default). */
function readEvaluators(input: ValueRecord): Evaluators | undefined {
  const cel = own(input, 'cel_evaluator') ?? 'present'
  const semantic = own(input, 'semantic_evaluator')
  const mock = semantic === undefined ? 'none' : readMock(semantic)
  if (mock === undefined || (cel !== 'present' && cel !== 'absent')) return undefined
  return { ...(cel === 'present' ? { cel: createCelEvaluator() } : {}), ...(mock === 'none' ? {} : { semantic: mock }) }
}

function readMock(value: Value): SemanticEvaluator | 'none' | undefined {
  const record = fields(value, ['present'], ['mock_score'])
  const present = record && own(record, 'present')
  const score = record && own(record, 'mock_score')
  if (present === false) return 'none'
  return present === true && typeof score === 'number' ? { evaluate: () => ok(score) } : undefined
}
