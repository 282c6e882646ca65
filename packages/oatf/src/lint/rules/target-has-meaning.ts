import { describeValue, type Path } from '@joust/source'
import { decidingTargets, isThere } from '../../dialects/targets.ts'
import { attackDocument } from '../../rules/rule.ts'
import type { Walk } from '../../rules/walk.ts'
import type { LintRule } from '../rule.ts'

export const targetHasMeaning: LintRule = {
  summary: 'A target in the words of another protocol has a meaning in its own.',
  check({ walk }, report) {
    for (const { path, text, reason } of meaninglessIn(walk))
      report(path, `${describeValue(text)} has no meaning here: ${reason}`)
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

/** Targets in the words of another protocol that have no translation, and why. */
export function meaninglessIn({ indicators }: Walk): { path: Path; text: string; reason: string }[] {
  return indicators.flatMap((indicator) =>
    decidingTargets(indicator).flatMap(({ path, text }) => {
      const reason = meaningless(indicator.protocol, text)
      return reason === undefined || isThere(text, indicator) ? [] : [{ path, text, reason }]
    }),
  )
}

/** Why a target that is in no message has no translation either. */
function meaningless(protocol: string | undefined, target: string): string | undefined {
  const head = /^(?:name|arguments)(?=[.[]|$)/.exec(target)?.[0]
  if (protocol === 'a2a' && head === 'name')
    return 'a request of A2A names no tool or skill; "actor" says whom it is for, "message.parts[*].text" what is asked'
  if (protocol === 'a2a' && head === 'arguments')
    return 'a request of A2A has no arguments; what is asked is "message.parts[*].text"'
  if (protocol === 'ag_ui' && head === 'arguments')
    return 'the arguments of a tool call are one text, "_arguments" of tool_call_end'
  return undefined
}
