import { beginning, splitBlock } from '@joust/source'
import { arenaLimits } from './limits.ts'

/** The error of a peer in a message: its first line and the lines below it, such as a traceback, are bounded. */
export function peerError(text: string): string {
  const [head, block] = splitBlock(text)
  const first = beginning(head, arenaLimits.peerText)
  return block === '' ? first : `${first}\n${beginning(block, arenaLimits.errorText)}`
}
