/** A transport that knows how it is doing. */
import type { Transport } from '@modelcontextprotocol/client'

/** A transport of the SDK, and what a message about a failure should say beside it. */
export interface McpTransport extends Transport {
  /** False once it is of no more use. */
  readonly isOpen: boolean
  /** What went wrong on the wire so far; empty when nothing did. */
  trouble(): string
}
