import { beginning, splitBlock } from '@joust/source'
import { arenaLimits } from './limits.ts'

/** Shortens a peer's error. Its first line and the lines below it, such as a traceback, have separate limits. */
export function peerError(text: string): string {
  const [head, block] = splitBlock(text)
  const first = beginning(head, arenaLimits.peerText)
  return block === '' ? first : `${first}\n${beginning(block, arenaLimits.errorText)}`
}
