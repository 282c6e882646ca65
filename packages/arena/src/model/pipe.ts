/** Lines over a pair of streams: MCP over standard input and output, or in memory. */

import type { Line } from '@joust/io'

/** Both directions of a connection. */
export interface Pipe {
  /** The lines of the peer, in order; ends when the peer is gone. To be read once. */
  readonly lines: AsyncIterable<Line>
  /** Sends text as it is, with a line break; resolves when the peer can take more. Does nothing when the peer is gone. */
  send(line: string): Promise<void>
  /** Why the peer is gone, for messages: exit code, signal, end of input. Undefined while it is there. */
  ending(): string | undefined
  /** Ends the connection and the process behind it. Can be called again. */
  close(): Promise<void>
}

/** Opens a pipe; rejects with an `ArenaError` when there is nothing at the other end. */
export type PipeOpen = () => Promise<Pipe>
