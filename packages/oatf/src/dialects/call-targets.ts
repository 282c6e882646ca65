import { describeValue, own, ownText } from '@joust/source'
import { TEXTS } from '../bindings/a2a-texts.ts'
import { attackDocument } from '../rules/rule.ts'
import type { IndicatorSite } from '../walk/walk.ts'
import { currentSurfaces } from './old-surface-names.ts'
import { isThere, type Reading, retarget, surfacesWith } from './targets.ts'
import type { Translation } from './translation.ts'

export const callTargets: Translation = {
  summary:
    '`a2a.task.message`, `arguments`, `name` and `body` are read as the corresponding request field if the protocol does not define them.',
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

function agUi(text: string, indicator: IndicatorSite): Reading | undefined {
  if (own(indicator.value, 'direction') === 'request') return undefined
  const surface = ownText(indicator.value, 'surface')
  const having = surfacesWith(text, indicator)
  // Other events also have a name field, which is meant if the indicator has one of their surfaces or none.
  if (surface === undefined ? having.length > 0 : having.includes(surface)) return undefined
  const covered = surface === undefined ? [] : (currentSurfaces('ag_ui', surface) ?? [])
  if (covered.length > 0 && !covered.includes('tool_call_start')) return undefined
  if (text === 'arguments') return { surface: 'tool_call_end', target: '_arguments' }
  return text === 'name' ? { surface: 'tool_call_start', target: 'toolCallName' } : undefined
}

/** Translates a target for A2A, where the request is a message and the response a task. */
function a2a(text: string, indicator: IndicatorSite): Reading | undefined {
  if (text === 'body') return { target: '' }
  const isRequest = own(indicator.value, 'direction') !== 'response'
  if (isRequest && /^arguments(?:\.message)?$/.test(text)) return { target: 'message.parts[*].text' }
  const [, below] = /^(?:a2a\.)?(?:task\.)?(.+)$/.exec(text) ?? []
  if (below === undefined || below === text) return undefined
  const isMessage = /^message(?:\.(?:content|text))?$/.test(below)
  if (isMessage && isRequest) return { target: 'message.parts[*].text' }
  // Tasks have artifacts, streams send them individually, and a message may have the same content.
  if (isMessage || below === 'artifacts' || below === 'artifact') return { target: `${TEXTS}[*]` }
  if (below === 'status' || below === 'state') return { target: 'status.state' }
  return surfacesWith(below, indicator).length > 0 ? { target: below } : undefined
}

function shown({ target, surface }: Reading): string {
  if (target === '') return 'the whole message, ""'
  return surface === undefined ? describeValue(target) : `"${target}" of ${surface}`
}
