import { isList, isRecord, type Path, type Value } from '@joust/source'
import type { Plants } from '../exposure/bait.ts'
import { containsWord } from './keep.ts'
import type { BaitText } from './mutation.ts'

/** Keys with protocol values or names instead of prose. */
// biome-ignore format: a list
const NAMES: ReadonlySet<string> = new Set([
  'type', 'role', 'kind', 'mimeType', 'id', 'messageId', 'threadId', 'runId', 'taskId', 'contextId', 'artifactId',
  'toolCallId', 'name', 'uri', 'url', 'method', 'event', 'when', 'target', 'format', 'pattern', 'version',
  'protocolVersion', 'enum', 'required', 'tags', 'data', 'blob', 'state', 'mode',
])
/** Minimum number of words; a shorter text is a label. */
const FEWEST_WORDS = 3

/**
 * Returns the bait texts to reword, in document order: those that contain words of an indicator, else whole sentences,
 * else all.
 */
export function baitTextsIn(plants: Plants, words: readonly string[]): BaitText[] {
  const once = allBaitTexts(plants, words)
  const pointed = once.filter(({ text }) => containsWord(text, words))
  if (pointed.length > 0) return pointed
  const prose = once.filter(isProse)
  return prose.length > 0 ? prose : once
}

/** True for a text of several words. */
export function isProse({ text }: Pick<BaitText, 'text'>): boolean {
  return text.trim().split(/\s+/, FEWEST_WORDS).length >= FEWEST_WORDS
}

export function allBaitTexts({ baits }: Plants, words: readonly string[]): BaitText[] {
  const items = baits.flatMap(({ items: held }) => held)
  const all = items.flatMap(({ at, value, role }) =>
    [...leavesIn(value, at)].map(({ at: place, text }): BaitText => {
      const part = role === 'client' ? quotedPart(text, words) : { text, before: '', after: '' }
      return { at: place, ...part }
    }),
  )
  const paths = new Set<string>()
  return all.filter(({ at }) => {
    const key = JSON.stringify(at)
    if (paths.has(key)) return false
    paths.add(key)
    return true
  })
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

type Quoted = Pick<BaitText, 'text' | 'before' | 'after'>

/**
 * Finds the quotation in a client message. The attacker writes only the quotation, which is the block with the
 * instruction: an element or a fence on separate lines. If there is no such block, the whole message is the bait.
 */
function quotedPart(text: string, words: readonly string[]): Quoted {
  const lines = text.split('\n')
  const blocks = blocksIn(lines)
  const inside = (from: number, to: number) => lines.slice(from, to).join('\n')
  const pointed = blocks.find(({ from, to }) => containsWord(inside(from, to), words))
  // An encoded instruction contains no known word. It is assumed to be the first block, unless the user's text contains
  // one.
  const block = pointed ?? (containsWord(text, words) ? undefined : blocks[0])
  if (block === undefined) return { text, before: '', after: '' }
  const { from, to } = block
  return { text: inside(from, to), before: `${inside(0, from)}\n`, after: `\n${inside(to, lines.length)}` }
}

interface Block {
  readonly from: number
  readonly to: number
}

const OPENING = /^<([A-Za-z][\w-]*)(?: [^<>]*)?>$/
const FENCE = '```'

function blocksIn(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  const closings = new Map(lines.map((line, index) => [line.trim(), index]))
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim()
    const name = OPENING.exec(line)?.[1]
    const isFence = line.startsWith(FENCE)
    const to = isFence ? closings.get(FENCE) : name === undefined ? undefined : closings.get(`</${name}>`)
    if (to === undefined || to <= at + 1) continue
    blocks.push({ from: at + 1, to })
    at = to
  }
  return blocks
}
