import { describeValue, type Path } from '@joust/source'
import { decidingTargets, isThere } from '../../dialects/targets.ts'
import { attackDocument } from '../../rules/rule.ts'
import type { Walk } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

export const targetTranslatable: LintRule = {
  summary: 'A target written for a different protocol has an equivalent in the protocol of its indicator.',
  check({ walk }, report) {
    for (const { path, text, reason } of untranslatableIn(walk))
      report(path, `the target ${describeValue(text)} has no equivalent in this protocol: ${reason}`)
  },
  good: attackDocument(`
    mode: a2a_server
    state: { task_responses: [{ content: { status: { state: completed } } }] }
  indicators:
    - target: message.parts[*].text
      direction: request
      pattern: { contains: "translate" }
`),
  mistake: ['- target: message.parts[*].text', '- target: name'],
  path: 'attack.indicators[0].target',
}

/** Returns targets that are written for a different protocol and cannot be translated, with the reason. */
export function untranslatableIn({ indicators }: Walk): { path: Path; text: string; reason: string }[] {
  return indicators.flatMap((indicator) =>
    decidingTargets(indicator).flatMap(({ path, text }) => {
      const reason = untranslatable(indicator.protocol, text)
      return reason === undefined || isThere(text, indicator) ? [] : [{ path, text, reason }]
    }),
  )
}

function untranslatable(protocol: string | undefined, target: string): string | undefined {
  const head = /^(?:name|arguments)(?=[.[]|$)/.exec(target)?.[0]
  if (protocol === 'a2a' && head === 'name')
    return 'an A2A request has no tool or skill name; use "actor" for the recipient or "message.parts[*].text" for the text'
  if (protocol === 'a2a' && head === 'arguments') return 'an A2A request has no arguments; use "message.parts[*].text"'
  if (protocol === 'ag_ui' && head === 'arguments')
    return 'AG-UI streams the arguments as text; use "_arguments" of tool_call_end'
  return undefined
}
