/** What a client's message quotes of somebody else: there alone an attacker has written, around it the user has. */
import { isPointed } from './keep.ts'
import type { BaitText } from './mutation.ts'

type Quoted = Pick<BaitText, 'text' | 'before' | 'after'>

/** The block of a message that holds the order: an element or a fence on lines of its own. Without one all of it is the bait. */
export function quotedPart(text: string, words: readonly string[]): Quoted {
  const lines = text.split('\n')
  const blocks = blocksIn(lines)
  const inside = (from: number, to: number) => lines.slice(from, to).join('\n')
  const pointed = blocks.find(({ from, to }) => isPointed(inside(from, to), words))
  // An order in a code names nothing; then it stands in a block, unless the user's own words name something.
  const block = pointed ?? (isPointed(text, words) ? undefined : blocks[0])
  if (block === undefined) return { text, before: '', after: '' }
  const { from, to } = block
  return { text: inside(from, to), before: `${inside(0, from)}\n`, after: `\n${inside(to, lines.length)}` }
}

/** Whether somebody else's words stand around it; parts of it alone would be that person's. */
export function isQuoted({ before, after }: BaitText): boolean {
  return before !== '' || after !== ''
}

interface Block {
  readonly from: number
  /** The line that closes it. */
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
