/** Values against the interface of an agent, and the guardrails of its policies. */
import { compileSchema, type InterfaceSchema, type SchemaProblem, type ValueValidator } from '@joust/agentformat'
import { formatPath, messageWithHint, type Path, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { guardrailFault } from '../governance/governance.ts'
import { RunFailure } from '../model/errors.ts'

/** Checks what the agent was given. */
export async function checkInput(context: AgentContext): Promise<void> {
  await check(context, 'input', context.input)
}

/** Checks what the agent gives. */
export async function checkOutput(context: AgentContext, output: Value): Promise<void> {
  await check(context, 'output', output)
}

/** Problems with a value in one line. */
export function describeProblems(problems: readonly SchemaProblem[]): string {
  return problems.map((one) => prefixed(one.path, messageWithHint(one))).join('; ')
}

function prefixed(path: Path, message: string): string {
  return path.length === 0 ? message : `${formatPath(path)}: ${message}`
}

/** Why a value does not fit a schema; empty when it does. Schemas are prepared once. */
export function schemaProblems(schema: InterfaceSchema, value: Value): readonly SchemaProblem[] {
  const judged = validatorOf(schema)(value)
  return judged.ok ? [] : judged.error
}

async function check(context: AgentContext, side: 'input' | 'output', value: Value): Promise<void> {
  const problems = schemaProblems(context.agent.document.interface[side], value)
  if (problems.length > 0) throw validationFailure(context, side, problems)
  const subject = { stage: side, agent: context.path, value }
  const stopped = await guardrailFault(context.governance, subject, context.signal)
  if (stopped === undefined) return
  const message = `the ${side} of ${context.agent.document.metadata.id}: ${stopped}`
  throw new RunFailure({ code: 'guardrail_denied', message, agent: context.path })
}

function validationFailure(
  context: AgentContext,
  side: 'input' | 'output',
  problems: readonly SchemaProblem[],
): RunFailure {
  const message = `the ${side} does not fit interface.${side} of ${context.agent.document.metadata.id}: ${describeProblems(problems)}`
  const details = problems.map((problem) => ({ path: formatPath(problem.path), message: messageWithHint(problem) }))
  return new RunFailure({ code: `${side}_validation`, message, agent: context.path, details })
}

// A cache by the identity of the schema: what it gives is the same with and without it.
const validators = new WeakMap<InterfaceSchema, ValueValidator>()

function validatorOf(schema: InterfaceSchema): ValueValidator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const compiled = compileSchema(schema)
  const validator: ValueValidator = compiled.ok ? compiled.value : () => ({ ok: false, error: compiled.error })
  validators.set(schema, validator)
  return validator
}
