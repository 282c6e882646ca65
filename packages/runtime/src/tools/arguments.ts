/** The arguments of a call against the schema of what is called: refused when they do not fit, never changed. */

import { compileSchema, type SchemaProblem } from '@joust/agentformat'
import { formatPath, isRecord, kindOf, messageWithHint, type Value } from '@joust/source'
import type { Callable } from '../model/callable.ts'
import { runtimeLimits } from '../model/limits.ts'

/**
 * Why arguments do not fit; undefined when they do. Servers may send schemas that we cannot judge by, of older drafts for
 * example; they judge the arguments themselves. A schema of the host that is none refuses everything.
 */
export function argumentFault(
  { kind, inputSchema }: Pick<Callable, 'kind' | 'inputSchema'>,
  args: Value,
): string | undefined {
  if (!isRecord(args)) return `its arguments must be an object, got ${kindOf(args)}`
  const validator = compileSchema(inputSchema)
  if (!validator.ok) return kind === 'mcp' ? undefined : `its schema is not a JSON Schema: ${listed(validator.error)}`
  const judged = validator.value(args)
  return judged.ok ? undefined : `its arguments do not fit: ${listed(judged.error)}`
}

function listed(problems: readonly SchemaProblem[]): string {
  const shown = problems.slice(0, runtimeLimits.argumentProblems).map((problem) => {
    const message = messageWithHint(problem)
    return problem.path.length === 0 ? message : `${formatPath(problem.path)}: ${message}`
  })
  const more =
    problems.length > runtimeLimits.argumentProblems
      ? [`and ${problems.length - runtimeLimits.argumentProblems} more`]
      : []
  return [...shown, ...more].join('; ')
}
