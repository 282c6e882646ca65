/** Advice on common mistakes in documents, with the Agent Format rule behind each. */
import { isList, messageWithHint, type Value, valueAt } from '@joust/source'
import type { AgentDiagnostic } from '../../model/diagnostic.ts'
import type { SchemaProblem } from '../problem.ts'

type Explanation = Pick<AgentDiagnostic, 'message' | 'suggestion' | 'rule'>

type Advice = (problem: SchemaProblem, value: Value | undefined) => Explanation | undefined

/** Returns the message for a problem, with advice if available. */
export function explainProblem(problem: SchemaProblem, document: Value): Explanation {
  const value = valueAt(document, problem.path)
  for (const advice of advices) {
    const explanation = advice(problem, value)
    if (explanation !== undefined)
      return { ...explanation, message: `${messageWithHint(problem)}; ${explanation.message}` }
  }
  const version = problem.path.length === 1 && problem.path[0] === 'schema_version'
  if (version) return { message: problem.message, rule: problem.keyword === 'required' ? 'R-01' : 'R-02' }
  const { message, suggestion } = problem
  return { message, ...(suggestion && { suggestion }) }
}

const advices: readonly Advice[] = [
  function interfaceShorthand({ path, keyword }, value) {
    if (path.length !== 2 || path[0] !== 'interface' || keyword !== 'type' || typeof value !== 'string')
      return undefined
    return {
      message: `write a JSON Schema: { type: ${/^[a-z]{1,20}$/.test(value) ? value : 'string'} }`,
      rule: 'OPEN-5',
    }
  },
  function severalRootTypes({ path }, value) {
    if (path.length !== 3 || path[0] !== 'interface' || path[2] !== 'type' || !isList(value)) return undefined
    return { message: 'the root must have a single type; use "anyOf" without "type" for several types' }
  },
  function unquoted({ expected = [] }, value) {
    if (expected.length !== 1 || expected[0] !== 'string') return undefined
    if (typeof value !== 'number' && typeof value !== 'boolean') return undefined
    return { message: 'put it in quotes', rule: 'OPEN-4' }
  },
  function yesAndNo({ path, keyword }, value) {
    if (path.at(-1) !== 'approval' || keyword !== 'type' || typeof value !== 'string') return undefined
    const yes = /^(?:y|yes|on|true)$/i.test(value)
    if (!yes && !/^(?:n|no|off|false)$/i.test(value)) return undefined
    return { message: `in YAML 1.2 this is a string; write ${yes}`, rule: 'OPEN-4' }
  },
  function equalityOperator({ path, keyword }) {
    if (keyword !== 'additionalProperties' || !['eq', 'equals', 'is', '=='].includes(String(path.at(-1))))
      return undefined
    return { message: 'for equality, write the value itself without an operator' }
  },
  function nullLiteral({ path, keyword }, value) {
    if (keyword !== 'type' || value !== null || path.at(-2) !== 'args_match') return undefined
    return { message: 'null cannot be matched' }
  },
]
