import { beginning, splitBlock } from '@joust/source'
import { arenaLimits } from './limits.ts'

/** Shortens a peer's error: its first line, and the lines below it, such as a traceback. */
export function peerError(text: string): string {
  const [head, block] = splitBlock(text)
  const first = beginning(head, arenaLimits.peerText)
  return block === '' ? first : `${first}\n${beginning(block, arenaLimits.errorText)}`
}
