/** The texts of a bait that can be said in another way. */
import { isList, isRecord, type Path, type Value } from '@joust/source'
import type { Plants } from '../exposure/bait.ts'
import { isPointed } from './keep.ts'
import type { BaitText } from './mutation.ts'
import { quotedPart } from './quoted.ts'

/** Keys whose values are the protocol's words or names, not prose. */
// biome-ignore format: a list
const NAMES: ReadonlySet<string> = new Set([
  'type', 'role', 'kind', 'mimeType', 'id', 'messageId', 'threadId', 'runId', 'taskId', 'contextId', 'artifactId',
  'toolCallId', 'name', 'uri', 'url', 'method', 'event', 'when', 'target', 'format', 'pattern', 'version',
  'protocolVersion', 'enum', 'required', 'tags', 'data', 'blob', 'state', 'mode',
])
/** Fewer words are a label. */
const FEWEST_WORDS = 3

/** The texts, in the order of the document: those that name what an indicator knows, else whole sentences, else all. */
export function baitTextsIn({ baits }: Plants, words: readonly string[]): BaitText[] {
  const items = baits.flatMap(({ items: held }) => held)
  const all = items.flatMap(({ at, value, role }) =>
    [...leavesIn(value, at)].map(({ at: place, text }): BaitText => {
      const part = role === 'client' ? quotedPart(text, words) : { text, before: '', after: '' }
      return { at: place, ...part }
    }),
  )
  const seen = new Set<string>()
  const once = all.filter(({ at }) => {
    const key = JSON.stringify(at)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  const pointed = once.filter(({ text }) => isPointed(text, words))
  if (pointed.length > 0) return pointed
  const prose = once.filter(({ text }) => text.trim().split(/\s+/, FEWEST_WORDS).length >= FEWEST_WORDS)
  return prose.length > 0 ? prose : once
}

function* leavesIn(value: Value, at: Path): Generator<Pick<BaitText, 'at' | 'text'>, void, void> {
  if (typeof value === 'string') {
    if (value.trim() !== '') yield { at, text: value }
  } else if (isList(value)) {
    for (const [index, item] of value.entries()) yield* leavesIn(item, [...at, index])
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) if (!NAMES.has(key)) yield* leavesIn(item, [...at, key])
  }
}
