import type { Value } from '@joust/source'
import type { ModelEntry, ModelMessage } from '../model/model-entry.ts'
import type { Redacted } from '../model/redacted.ts'
import type { Redactor } from './redactor.ts'

type Call = ModelEntry['answer']['calls'][number]

/**
 * Redacts a call to the agent's model and sets `redacted` if it contained a secret. Roles, ids and numbers are
 * unchanged.
 */
export function redactModelEntry(entry: ModelEntry, redactor: Redactor): Redacted<ModelEntry> {
  let isHidden = false
  const hide = (value: Value) =>
    redactor.value(value, () => {
      isHidden = true
    })
  // `value` returns a string for a string.
  const text = (one: string) => String(hide(one))
  const call = <T extends Call>(one: T): T => ({ ...one, name: text(one.name), input: hide(one.input) })
  const message = (one: ModelMessage): ModelMessage =>
    one.role === 'call' ? call(one) : { ...one, text: text(one.text) }
  const { messages, tools, answer, error, name } = entry
  const redacted: ModelEntry = {
    ...entry,
    ...(name !== undefined && { name: text(name) }),
    messages: messages.map(message),
    tools: tools.map(({ schema, ...tool }) => ({
      ...{ name: text(tool.name), description: text(tool.description) },
      ...(schema !== undefined && { schema: hide(schema) }),
    })),
    answer: { text: text(answer.text), calls: answer.calls.map(call) },
    ...(error !== undefined && { error: text(error) }),
  }
  return (isHidden ? { ...redacted, redacted: true } : redacted) as Redacted<ModelEntry>
}
