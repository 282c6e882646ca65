/** Converts messages and tool results to plain text: JSON becomes the `key: value` lines of its leaves. */
import type {
  LanguageModelV4Message as ModelMessage,
  LanguageModelV4ToolResultOutput as ModelToolOutput,
} from '@ai-sdk/provider'
import { compactJson, isList, isRecord, readJson, type Value } from '@joust/source'

const DEEPEST = 32

export function messageText({ content }: ModelMessage): string {
  if (typeof content === 'string') return content
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
  return texts.filter(Boolean).join('\n')
}

export function resultText(output: ModelToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return unfold(output.value)
    case 'json':
    case 'error-json':
      // JSON values of the AI SDK have this form.
      return flatten(output.value as Value)
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? unfold(part.text) : '')).join('\n')
    default:
      return output.reason ?? ''
  }
}

/** JSON may be the whole text or single lines of it. */
export function unfold(text: string): string {
  if (!/^\s*[[{]/m.test(text)) return text
  const value = readJson(text)
  if (value.ok) return typeof value.value === 'object' ? flatten(value.value) : text
  return text.includes('\n') ? text.split('\n').map(unfold).join('\n') : text
}

/** Canonical JSON is identical for equal values. */
export function jsonText(value: Value): string {
  const json = compactJson(value)
  return json.ok ? json.value : ''
}

function flatten(value: Value, key = '', depth = 0): string {
  const label = key === '' ? '' : `${key}: `
  if (typeof value === 'string') return key === 'text' ? unfold(value) : `${label}${value}`
  if (depth > DEEPEST) return ''
  if (isList(value)) return value.map((item) => flatten(item, '', depth + 1)).join('\n')
  if (!isRecord(value)) return `${label}${String(value)}`
  return Object.entries(value)
    .map(([name, child]) => flatten(child, name, depth + 1))
    .join('\n')
}
