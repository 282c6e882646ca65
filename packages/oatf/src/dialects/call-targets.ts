import { describeValue, own, ownText } from '@joust/source'
import { TEXTS } from '../bindings/a2a-texts.ts'
import { attackDocument } from '../rules/rule.ts'
import type { IndicatorSite } from '../rules/walk.ts'
import { todaysSurfaces } from './old-surface-names.ts'
import { isThere, type Reading, retarget, surfacesWith } from './targets.ts'
import type { Translation } from './translation.ts'

export const callTargets: Translation = {
  summary:
    '`a2a.task.message`, and `arguments`, `name` and `body` where a protocol has no such field, are read as the field that holds what is asked.',
  find: (places) =>
    places.indicators.flatMap((indicator) =>
      retarget(
        indicator,
        (text) => readingOf(text, indicator),
        (text, reading) => `${describeValue(text)} is read as ${shown(reading)}`,
      ),
    ),
  bad: attackDocument(`
    mode: a2a_server
    state: { task_responses: [{ content: { status: { state: completed } } }] }
  indicators:
    - target: a2a.task.message
      direction: request
      pattern: { contains: "salary" }
`),
}

function readingOf(text: string, indicator: IndicatorSite): Reading | undefined {
  if (indicator.protocol === 'ag_ui') return agUi(text, indicator)
  return indicator.protocol === 'a2a' && !isThere(text, indicator) ? a2a(text, indicator) : undefined
}

/** A tool call of the agent, which AG-UI announces by events. */
function agUi(text: string, indicator: IndicatorSite): Reading | undefined {
  if (own(indicator.value, 'direction') === 'request') return undefined
  const surface = ownText(indicator.value, 'surface')
  const having = surfacesWith(text, indicator)
  // Other events have a name, too; an indicator on such a surface, or on none, means that one.
  if (surface === undefined ? having.length > 0 : having.includes(surface)) return undefined
  const covered = surface === undefined ? [] : (todaysSurfaces('ag_ui', surface) ?? [])
  if (covered.length > 0 && !covered.includes('tool_call_start')) return undefined
  if (text === 'arguments') return { surface: 'tool_call_end', target: '_arguments' }
  return text === 'name' ? { surface: 'tool_call_start', target: 'toolCallName' } : undefined
}

/** A task is asked for by a message; its answer is the task. */
function a2a(text: string, indicator: IndicatorSite): Reading | undefined {
  if (text === 'body') return { target: '' }
  const asked = own(indicator.value, 'direction') !== 'response'
  if (asked && /^arguments(?:\.message)?$/.test(text)) return { target: 'message.parts[*].text' }
  const [, below] = /^(?:a2a\.)?(?:task\.)?(.+)$/.exec(text) ?? []
  if (below === undefined || below === text) return undefined
  const isMessage = /^message(?:\.(?:content|text))?$/.test(below)
  if (isMessage && asked) return { target: 'message.parts[*].text' }
  // Tasks have artifacts, streams bring them one by one, and either may carry the same as a message.
  if (isMessage || below === 'artifacts' || below === 'artifact') return { target: `${TEXTS}[*]` }
  if (below === 'status' || below === 'state') return { target: 'status.state' }
  return surfacesWith(below, indicator).length > 0 ? { target: below } : undefined
}

function shown({ target, surface }: Reading): string {
  if (target === '') return 'the whole message, ""'
  return surface === undefined ? describeValue(target) : `"${target}" of ${surface}`
}
