import { describeValue, own, ownText } from '@joust/source'
import { sameWords } from '../bindings/same-words.ts'
import { findMode } from '../bindings/table.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import { type Site, siteAt, sitesAt } from '../walk/walk.ts'
import { currentSurfaces } from './old-surface-names.ts'
import type { PhasePlace } from './places.ts'
import { surfacesWith } from './targets.ts'
import type { Occurrence } from './translation.ts'

/** Converts the trigger and extractors of a phase to current notation (D-003). */
export function renamedInPhase(phase: PhasePlace): Occurrence[] {
  const trigger = siteAt(phase, 'trigger')
  const protocol = extractProtocol(phase.mode ?? '')
  return [
    ...(trigger === undefined ? [] : eventOccurrences(trigger, phase.mode ?? '', protocol)),
    ...(trigger === undefined ? [] : matchOccurrences(trigger, protocol)),
    ...sitesAt(phase, 'extractors').flatMap((extractor) => selectorOccurrences(extractor, protocol)),
  ]
}

/**
 * Translates an old event name to an event of the mode: an event that the old name covered, preferably one with the
 * same words, or otherwise any event with the same words.
 */
function eventOccurrences({ path, value }: Site, mode: string, protocol: string): Occurrence[] {
  const event = ownText(value, 'event')
  const events = findMode(mode)?.events ?? []
  if (event === undefined || events.includes(event)) return []
  const covered = currentSurfaces(protocol, event)?.filter((surface) => events.includes(surface)) ?? []
  const current = sameWords(event, covered) ?? covered[0] ?? sameWords(event, events)
  if (current === undefined) return []
  const at = [...path, 'event']
  const message = `the event ${describeValue(event)} is read as ${describeValue(current)}`
  return [{ at, message, edits: [{ op: 'set', path: at, value: current }] }]
}

/** Rewrites trigger paths, which now start at the message itself. */
function matchOccurrences(trigger: Site, protocol: string): Occurrence[] {
  const match = siteAt(trigger, 'match')
  return Object.keys(match?.value ?? {}).flatMap((key): Occurrence[] => {
    const below = /^(?:params|result)\.(.+)$/.exec(key)?.[1]
    const isThere = (steps: string) => surfacesWith(steps, { value: {}, protocol }).length > 0
    if (match === undefined || below === undefined || isThere(key) || !isThere(below)) return []
    if (own(match.value, below) !== undefined) return []
    const at = [...match.path, key]
    const message = `the path ${describeValue(key)} is read as ${describeValue(below)}`
    return [{ at, key: true, message, edits: [{ op: 'move', from: at, path: [...match.path, below] }] }]
  })
}

const ENVELOPE = /^\$\.(?:params|result)\.(.+)$/

/** Rewrites selectors, which now start at the message itself. A message field takes precedence over the envelope. */
function selectorOccurrences({ path, value }: Site, protocol: string): Occurrence[] {
  const selector = ownText(value, 'selector') ?? ''
  const below = ownText(value, 'type') === 'json_path' ? ENVELOPE.exec(selector)?.[1] : undefined
  if (below === undefined) return []
  const messages = { value: { direction: ownText(value, 'source') ?? '' }, protocol }
  const isThere = (steps: string) => surfacesWith(steps.replaceAll(/\[\d+\]/g, '[*]'), messages).length > 0
  if (isThere(selector.slice(2)) || !isThere(below)) return []
  const at = [...path, 'selector']
  const message = `the selector ${describeValue(selector)} is read as ${describeValue(`$.${below}`)}`
  return [{ at, message, edits: [{ op: 'set', path: at, value: `$.${below}` }] }]
}
