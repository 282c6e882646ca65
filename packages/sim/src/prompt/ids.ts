/** Ids of calls: the same order gets the same id again, and the id says how many calls stand behind it. */

const PREFIX = 'sim'

/** The id of a call that a simulated model makes. */
export function callId(depth: number, key: string): string {
  return `${PREFIX}-${depth}-${hashOf(key)}`
}

/** How many calls stand behind a call; none behind one of somebody else. */
export function depthOfCall(id: string): number {
  return isOwnCall(id) ? Number(id.split('-')[1]) || 0 : 0
}

/** Whether a simulated model made a call. */
export function isOwnCall(id: string): boolean {
  return id.startsWith(`${PREFIX}-`)
}

/** A short, stable name for a text (FNV-1a). Not for security. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
