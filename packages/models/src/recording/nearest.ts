/** Finds the recorded request that is most similar to an unknown one. */
import { excerpt } from '@joust/source'

/** Characters to show before and after the first difference. */
const BEFORE = 30
const AFTER = 60

/** Describes the most similar identity: the one with the longest common prefix and suffix. */
export function describeNearest(identity: string, recorded: Iterable<string>): string {
  let nearest: string | undefined
  let most = -1
  for (const candidate of recorded) {
    const shared = sharedStart(identity, candidate) + sharedEnd(identity, candidate)
    if (shared <= most) continue
    nearest = candidate
    most = shared
  }
  if (nearest === undefined) return 'the recording has no requests of this run'
  const at = sharedStart(identity, nearest)
  return `the nearest recorded request has ${around(nearest, at)} where this one has ${around(identity, at)}`
}

function around(text: string, at: number): string {
  return JSON.stringify(excerpt(text, Math.max(0, at - BEFORE), at + AFTER))
}

function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

function sharedEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length += 1
  return length
}
