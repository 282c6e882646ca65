/** Formats words, numbers and times for the report. */
import { severityLevels, tiers } from '@joust/oatf'

const WORDS: Readonly<Record<string, string>> = {
  mcp: 'MCP',
  a2a: 'A2A',
  ag_ui: 'AG-UI',
  done: 'completed',
  expired: 'timeout',
  interrupted: 'interrupted',
  flooded: 'too many messages',
  failed: 'failed to run',
}

/** Severities, most severe first. */
export const SEVERITY_ORDER: readonly string[] = severityLevels.toReversed()
export const TIER_ORDER: readonly string[] = tiers.toReversed()

/** Returns the display text for an enumeration value. */
export function wordFor(value: string): string {
  const word = Object.hasOwn(WORDS, value) ? WORDS[value] : undefined
  if (word !== undefined) return word
  const spaced = value.replaceAll('_', ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Formats a duration, such as `1.25 s` or `3 min 20 s`. */
export function durationText(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return '?'
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : nouns}`
}

/** Formats a whole number with thousands separators. */
export function numberText(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** Formats a share from 0 to 1 as a percentage. */
export function percentText(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Formats a time to the second in UTC. */
export function timeText(iso: string): string {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
