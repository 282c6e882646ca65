/** The recording nearest to a call, and their differences. */
import { compactJson, excerpt, isList, isRecord, own, ownText, type Value } from '@joust/source'
import { steady } from './identity.ts'
import type { CallKind, Recording } from './recording.ts'

/** Characters to show before and after the first difference. */
const BEFORE = 20
const AFTER = 60

/** A message about a call that was not recorded. */
export function describeNearest(kind: CallKind, request: Value, recordings: readonly Recording[]): string {
  const text = textOf(promptOf(request))
  let nearest: Recording | undefined
  let most = -1
  for (const recording of recordings) {
    if (recording.kind !== kind) continue
    const shared = sharedLength(text, textOf(promptOf(recording.request as Value)))
    if (shared > most) {
      most = shared
      nearest = recording
    }
  }
  if (nearest === undefined) return 'no similar recording'
  return `the nearest recording differs in ${differences(nearest.request as Value, request).join('; ')}`
}

function differences(recorded: Value, request: Value): string[] {
  if (!isRecord(recorded) || !isRecord(request)) return ['everything']
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(request)])]
  return names.flatMap((name) => {
    const [before, now] = [own(recorded, name) ?? null, own(request, name) ?? null]
    if (textOf(before) === textOf(now)) return []
    return isList(before) && isList(now) ? [listDifference(name, before, now)] : [`${name}: ${excerpts(before, now)}`]
  })
}

/** The first different item of a list, such as a message of a prompt. */
function listDifference(name: string, recorded: readonly Value[], request: readonly Value[]): string {
  const index = request.findIndex((item, at) => textOf(item) !== textOf(recorded[at] ?? null))
  const [before, now] = index < 0 ? [recorded[request.length], undefined] : [recorded[index], request[index]]
  // The role of a message, or the name of a tool.
  const label = ownText(now ?? before, 'role') ?? ownText(now ?? before, 'name')
  const place = `${name}[${index < 0 ? request.length : index}]${label === undefined ? '' : ` (${label})`}`
  if (before === undefined) return `${place}: not recorded, now ${excerptAt(textOf(now ?? null), 0)}`
  if (now === undefined) return `${place}: recorded ${excerptAt(textOf(before), 0)}, now missing`
  return `${place}: ${excerpts(before, now)}`
}

function excerpts(recorded: Value, request: Value): string {
  const [before, now] = [textOf(recorded), textOf(request)]
  const at = sharedLength(before, now)
  return `recorded ${excerptAt(before, at)}, now ${excerptAt(now, at)}`
}

function excerptAt(text: string, at: number): string {
  return excerpt(text, Math.max(0, at - BEFORE), at + AFTER)
}

/** The prompt of a model call, otherwise the whole request. */
function promptOf(request: Value): Value {
  return own(request, 'prompt') ?? request
}

function textOf(value: Value): string {
  if (typeof value === 'string') return steady(value)
  const text = compactJson(value)
  return text.ok ? steady(text.value) : ''
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}
