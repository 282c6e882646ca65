/** Headers of a message that came in. */
import type { IncomingMessage } from 'node:http'

/** Names in lower case; repeated headers joined by a comma. */
export function headersOf(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
  )
}
