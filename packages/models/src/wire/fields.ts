/** Reads fields from untrusted JSON. */
import { isRecord, own, ownList, ownText, parseJson, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { PromptMessage } from '../model/call.ts'

/** Returns the objects in a list property; empty if the property is not a list. */
export function records(value: unknown, key: string): ValueRecord[] {
  return ownList(value, key).filter(isRecord)
}

/** Returns the first property that is present and not null. */
export function either(value: unknown, ...keys: readonly string[]): Value | undefined {
  return keys.map((key) => own(value, key)).find((field) => field !== undefined && field !== null)
}

export function numberIn(value: unknown, key: string): number | undefined {
  const field = own(value, key)
  return typeof field === 'number' ? field : undefined
}

/** Returns the text of `content`, which is a string, a part or a list of parts. */
export function contentText(content: Value | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ownText(content, 'text') ?? ''
  const texts = content.map((part) =>
    typeof part === 'string' ? part : (ownText(part, 'text') ?? ownText(part, 'refusal')),
  )
  return texts.filter(Boolean).join('\n')
}

/** Returns the text of `content`, or `content` as JSON if it has no text. */
export function resultText(content: Value | undefined): string {
  const text = contentText(content)
  return text !== '' || content === undefined || content === '' ? text : writeJson(content)
}

/** Returns a list with one message; empty if the message has no text. */
export function message(
  role: 'system' | 'user' | 'assistant' | 'reasoning',
  content: Value | undefined,
): PromptMessage[] {
  const text = contentText(content)
  return text === '' ? [] : [{ role, text }]
}

const roles: Readonly<Record<string, 'system' | 'user' | 'assistant'>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  model: 'assistant',
}

/** Returns the role of a message; `user` if the role is unknown. */
export function roleOf(record: ValueRecord): 'system' | 'user' | 'assistant' {
  const role = ownText(record, 'role') ?? ''
  return (Object.hasOwn(roles, role) ? roles[role] : undefined) ?? 'user'
}

/** Returns tool call arguments: parsed from a JSON string, or unchanged if the value is not such a string. */
export function argumentsOf(written: Value | undefined): Value {
  if (typeof written !== 'string') return written ?? {}
  return written.trim() === '' ? {} : (parseJson(written) ?? written)
}
