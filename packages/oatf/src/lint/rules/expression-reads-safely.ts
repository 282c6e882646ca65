import { compactJson, cut } from '@joust/source'
import { compileExpression } from '../../evaluate/expression.ts'
import type { ExpressionMatch } from '../../model/document.ts'
import { oatfLimits } from '../../model/limits.ts'
import { mcpServerDocument, weatherTool } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'
import { type Sample, samplesFor } from '../samples.ts'
import { missingFields } from '../targets.ts'

const LONGEST_SAMPLE = 120

/**
 * An evaluation error takes precedence over matches, so it hides the result of the attack ([OATF
 * §5.7](https://oatf.io/specification/execution-profile/)).
 */
export const expressionReadsSafely: LintRule = {
  summary: 'An expression evaluates without error on ordinary messages.',
  check(context, report) {
    let budget = oatfLimits.lintEvaluations
    for (const subject of context.subjects) {
      const { evaluator } = context
      // Another rule reports fields that no message has.
      if (evaluator === undefined || subject.expression === undefined || missingFields(subject, context).length > 0)
        continue
      // Evaluation accepts any value as an expression.
      const evaluate = compileExpression(subject.expression as unknown as ExpressionMatch, evaluator)
      for (const sample of samplesFor(subject, context)) {
        if (budget-- <= 0) return
        const result = evaluate(sample.content)
        if (result.ok || result.error.limit !== undefined || result.error.kind === 'unsupported_method') continue
        report([...subject.path, 'expression', 'cel'], message(sample, result.error.message))
        break
      }
    }
  },
  good: mcpServerDocument(`
    state:${weatherTool}  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      expression: { cel: 'has(message.arguments.note) && message.arguments.note.contains("secret")' }
`),
  mistake: ['has(message.arguments.note) && ', ''],
  path: 'attack.indicators[0].expression.cel',
}

function message({ surface, direction, content }: Sample, reason: string): string {
  const text = compactJson(content, 'document')
  const json = text.ok ? text.value : ''
  const advice = 'test optional fields with has(), variables with != null'
  return `the expression fails on an ordinary ${surface} ${direction}, ${cut(json, LONGEST_SAMPLE)}: ${reason}; ${advice}`
}
