import { formatPath, isRecord, own, ownText } from '@joust/source'
import { compileIndicator } from '../../evaluate/indicator.ts'
import type { Indicator } from '../../model/document.ts'
import type { Evaluators } from '../../model/evaluators.ts'
import { lintLimits, oatfLimits } from '../../model/limits.ts'
import { callsDocument, weatherTool } from '../../rules/rule.ts'
import type { Payload } from '../../traffic/payloads/payload.ts'
import type { Subject } from '../context.ts'
import type { LintRule } from '../rule.ts'
import { agentDirection, ownPayloads } from '../targets.ts'

/**
 * An indicator of tier `ingested` may match a payload that the agent requested, because this tier means only that the
 * payload reached the agent.
 */
export const notAttackerPayload: LintRule = {
  summary: 'No indicator matches a message sent by the attacker.',
  check(context, report) {
    let budget = oatfLimits.lintEvaluations
    const evaluators: Evaluators = {
      limits: lintLimits(context.limits),
      ...(context.evaluator === undefined ? {} : { cel: context.evaluator }),
    }
    for (const subject of context.subjects) {
      const key = ['pattern', 'expression'].find((name) => isRecord(own(subject.value, name)))
      if (key === undefined) continue
      const payloads = ownPayloads(subject, context).filter((payload) => counts(payload, subject))
      if (payloads.length === 0) continue
      // Evaluation accepts any value as an indicator.
      const evaluate = compileIndicator(subject.value as unknown as Indicator, evaluators)
      const match = payloads.find(({ content }) => budget-- > 0 && evaluate(content).result === 'matched')
      if (match !== undefined) report([...subject.path, key], message(match, subject), { at: 'key' })
    }
  },
  good: callsDocument(weatherTool, '""', 'password'),
  mistake: [
    'surface: tools/call\n      direction: request\n      target: ""',
    'surface: tools/list\n      target: tools[*].description',
  ],
  path: 'attack.indicators[0].pattern',
}

function counts(payload: Payload, { value }: Subject): boolean {
  if (payload.askedFor && own(value, 'tier') === 'ingested') return false
  return !payload.echoed || looksAtEcho(value)
}

/** True for an indicator with a target below `_request`; only then does a response include the request. */
function looksAtEcho(value: Subject['value']): boolean {
  const pattern = own(value, 'pattern')
  if (!isRecord(pattern)) return false
  const target = ownText(pattern, 'target') ?? ownText(value, 'target')
  const condition = own(pattern, 'condition') ?? pattern
  const searches =
    isRecord(condition) && ['contains', 'regex'].some((operator) => own(condition, operator) !== undefined)
  return searches && target?.split('.')[0] === '_request'
}

function message({ path, surface, direction, echoed }: Payload, subject: Subject): string {
  const part = echoed ? 'the request, which the response contains as "_request"' : `${surface} ${direction}`
  const direct = agentDirection(subject)
  const advice = direct === undefined ? 'examine messages from the agent' : `set direction: ${direct}`
  return `the indicator matches a message from the attacker: ${part} (${formatPath(path)}); ${advice}`
}
