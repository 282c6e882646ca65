/** Why an indicator matched or did not: which messages its filter left, and what its path led to in each of them. */
import { FLAG_BROKEN, FLAG_MALFORMED, FLAG_RESPONSE } from './flags.js'
import { contentOf } from './store.js'

/** @import { ResultIndicator, ResultIndicatorVerdict } from '@joust/arena' */
/** @import { TraceIndex } from './data.ts' */
/** @import { Trace } from './store.js' */

/** @typedef {{ name: string, wanted: string | undefined, left: number }} FilterStep */
/** @typedef {{ place: number, found: { path: string, value: unknown }[] }} Resolution */

/** Messages that are looked into; there may be thousands. */
const LOOKED_INTO = 100

/**
 * How many messages each step of the filter left, as the judge counted them.
 * @param {ResultIndicator | undefined} indicator
 * @param {ResultIndicatorVerdict} verdict
 * @returns {FilterStep[]}
 */
export function filterSteps(indicator, { considered }) {
  if (considered === undefined) return []
  return [
    { name: 'protocol', wanted: indicator?.protocol, left: considered.protocol },
    { name: 'surface', wanted: indicator?.surface, left: considered.surface },
    { name: 'actor', wanted: indicator?.actor, left: considered.actor },
    { name: 'direction', wanted: indicator?.direction, left: considered.direction },
    { name: 'evaluated', wanted: undefined, left: considered.evaluated },
  ].filter(({ name, wanted }) => wanted !== undefined || name === 'evaluated')
}

/**
 * What the path of an indicator led to in the messages that it was put to; `more` were not looked into.
 * @param {ResultIndicator} indicator
 * @param {Trace} trace
 * @returns {{ looked: Resolution[], more: number }}
 */
export function resolutions(indicator, trace) {
  const places = trace.index.seq.flatMap((_, place) => (passesFilter(indicator, trace.index, place) ? [place] : []))
  const looked = places.slice(0, LOOKED_INTO).map((place) => {
    const { value, cut } = contentOf(trace, place)
    return { place, found: cut ? [] : resolvePath(indicator.target, value) }
  })
  return { looked, more: places.length - looked.length }
}

/**
 * The values at a path with wildcards, and where each is.
 * @param {string} path
 * @param {unknown} value
 * @returns {{ path: string, value: unknown }[]}
 */
export function resolvePath(path, value) {
  let reached = [{ path: '', value }]
  for (const segment of path === '' ? [] : path.split('.')) {
    const each = segment.endsWith('[*]')
    const field = each ? segment.slice(0, -3) : segment
    reached = reached.flatMap((from) => {
      if (typeof from.value !== 'object' || from.value === null || Array.isArray(from.value)) return []
      if (!Object.hasOwn(from.value, field)) return []
      const found = { path: from.path === '' ? field : `${from.path}.${field}`, value: Reflect.get(from.value, field) }
      if (!each) return [found]
      if (!Array.isArray(found.value)) return []
      return found.value.map((element, place) => ({ path: `${found.path}[${place}]`, value: element }))
    })
  }
  return reached
}

/**
 * @param {ResultIndicator} indicator
 * @param {TraceIndex} index
 * @param {number} place
 * @returns {boolean}
 */
function passesFilter({ protocol, surface, actor, direction }, index, place) {
  const flags = index.flags[place] ?? 0
  if ((flags & (FLAG_BROKEN | FLAG_MALFORMED)) !== 0) return false
  const sender = index.actors[index.actor[place] ?? -1]
  if (protocol !== undefined && sender?.protocol !== protocol) return false
  if (actor !== undefined && sender?.name !== actor) return false
  if (surface !== undefined && index.strings[index.surface[place] ?? -1] !== surface) return false
  return direction === undefined || direction === ((flags & FLAG_RESPONSE) === 0 ? 'request' : 'response')
}
