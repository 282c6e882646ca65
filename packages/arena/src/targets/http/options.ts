/** What an agent behind an address of its own kind is told by. */
import type { Value } from '@joust/source'
import type { HttpSend } from '../../model/http.ts'
import type { Pasteable } from '../front-door/request.ts'

/** An address to attack. */
export interface HttpTargetOptions {
  /** `{conversation}` and `{ACTOR.url}` are filled in. */
  readonly url: string
  /** POST, if nothing is said. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * What is sent, as JSON, or as it stands when it is a text. `{prompt}`, `{conversation}` and `{ACTOR.url}` are filled in
   * anywhere; a text that is nothing but `{input}` or `{mcp_servers}` becomes the whole request, or the addresses by name.
   */
  readonly body?: Value
  /** Where the answer stands in what comes back as JSON; all of it, if nothing is said. */
  readonly answer?: string
  /** Where the name of the conversation stands in the first answer; if nothing is said, it has one of ours. */
  readonly conversation?: string
  /** The answer comes in parts: the texts of all of them make it. */
  readonly stream?: 'sse' | 'json_lines'
  /** How it is named in results. */
  readonly name: string
  /** What it is asked when the document has no client actor. */
  readonly prompt?: string
  /** What is put into the prompt because the request has no place for it. */
  readonly paste?: readonly Pasteable[]
  /** How long a turn may take; default 5 minutes. */
  readonly timeoutMs?: number
  /** How requests are sent: over sockets, if nothing is said. */
  readonly send?: HttpSend
}
