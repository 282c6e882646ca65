/** Why an indicator did or did not match: which messages its filter left, and what its path led to in each of them. */
import type { ResultIndicator, ResultIndicatorVerdict } from '@joust/arena'
import { contentOf, type Message, type Trace } from './trace.ts'

interface FilterStep {
  readonly name: string
  readonly wanted: string | undefined
  readonly left: number
}

interface Resolved {
  readonly path: string
  readonly value: unknown
}

/** Messages that are examined; there may be thousands. */
const LOOKED_INTO = 100

/** How many messages each step of the filter left, as the judge counted them. */
export function filterSteps(
  indicator: ResultIndicator | undefined,
  { considered }: Pick<ResultIndicatorVerdict, 'considered'>,
): FilterStep[] {
  if (considered === undefined) return []
  return [
    { name: 'protocol', wanted: indicator?.protocol, left: considered.protocol },
    { name: 'surface', wanted: indicator?.surface, left: considered.surface },
    { name: 'actor', wanted: indicator?.actor, left: considered.actor },
    { name: 'direction', wanted: indicator?.direction, left: considered.direction },
    { name: 'evaluated', wanted: undefined, left: considered.evaluated },
  ].filter(({ name, wanted }) => wanted !== undefined || name === 'evaluated')
}

/** What the path of an indicator led to in the messages that were evaluated; `more` were not examined. */
export function resolutions(
  indicator: ResultIndicator,
  trace: Trace,
): { looked: { place: number; found: Resolved[] }[]; more: number } {
  const places = trace.messages.flatMap((message, place) => (passesFilter(indicator, message) ? [place] : []))
  const looked = places.slice(0, LOOKED_INTO).map((place) => {
    const { value, cut } = contentOf(trace, place)
    return { place, found: cut ? [] : resolvePath(indicator.target, value) }
  })
  return { looked, more: places.length - looked.length }
}

/** The values at a path with wildcards, and where each is. */
export function resolvePath(path: string, value: unknown): Resolved[] {
  let reached: Resolved[] = [{ path: '', value }]
  for (const segment of path === '' ? [] : path.split('.')) {
    const each = segment.endsWith('[*]')
    const field = each ? segment.slice(0, -3) : segment
    reached = reached.flatMap((from) => {
      if (typeof from.value !== 'object' || from.value === null || Array.isArray(from.value)) return []
      if (!Object.hasOwn(from.value, field)) return []
      const found: unknown = Reflect.get(from.value, field)
      const here = from.path === '' ? field : `${from.path}.${field}`
      if (!each) return [{ path: here, value: found }]
      if (!Array.isArray(found)) return []
      return found.map((element, place) => ({ path: `${here}[${place}]`, value: element }))
    })
  }
  return reached
}

function passesFilter({ protocol, surface, actor, direction }: ResultIndicator, message: Message): boolean {
  if (message.broken === true || message.malformed !== undefined) return false
  if (protocol !== undefined && message.protocol !== protocol) return false
  if (actor !== undefined && message.actor !== actor) return false
  if (surface !== undefined && message.surface !== surface) return false
  return direction === undefined || direction === (message.response === true ? 'response' : 'request')
}
