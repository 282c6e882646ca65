import { err, isRecord, ok, own, type Result, type Value } from '@joust/source'

/** The content of a message, and what to tell about how it was found. */
interface MessageContent {
  readonly content: Value
  readonly note?: string
}

/**
 * What indicators look at (SDK §4.1): of a JSON-RPC message that is `params`, `result` or `error`, not the envelope. An
 * attack document in the place of a message would match nothing, and look like an agent that resisted.
 */
export function messageContent(message: Value): Result<MessageContent, string> {
  if (!isRecord(message)) return ok({ content: message })
  if (Object.hasOwn(message, 'oatf') && Object.hasOwn(message, 'attack')) {
    return err('is an attack document, not a message of an agent')
  }
  if (!Object.hasOwn(message, 'jsonrpc')) return ok({ content: message })
  for (const part of ['params', 'result', 'error']) {
    const content = own(message, part)
    if (content !== undefined) {
      return ok({ content, note: `is a JSON-RPC message; its "${part}" is what the indicators look at` })
    }
  }
  return err('is a JSON-RPC message without params, result or error')
}
