/** Converts tool results and model answers to conversation messages. */
import { beginning, err, isRecord, kindOf, ok, type Result, type ValueRecord, valueToText } from '@joust/source'
import type { Observation } from '../model/connection.ts'
import { readDoubles } from '../model/json-value.ts'
import type { ModelMessage, ModelToolOutput } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { Reply } from '../models/ask-model.ts'

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>
type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>

/** Truncates an observation; `cut` describes the omitted part. */
export function cutObservation(observation: Observation): { readonly observation: Observation; readonly cut?: string } {
  const text = valueToText(observation.content, 'document')
  if (!text.ok)
    return { observation: { ...observation, content: '[nested too deeply to show]' }, cut: 'nested too deeply' }
  const cut = text.value.length - runtimeLimits.observationCharacters
  if (cut <= 0) return { observation }
  const content = `${beginning(text.value, runtimeLimits.observationCharacters)}\n[cut: ${cut} more characters]`
  return { observation: { ...observation, content }, cut: `the last ${cut} characters are missing` }
}

export function toolResult(call: string, name: string, observation: Observation): ToolResult {
  return { type: 'tool-result', toolCallId: call, toolName: name, output: outputOf(observation) }
}

function outputOf({ content, isError }: Observation): ModelToolOutput {
  if (typeof content === 'string') return { type: isError ? 'error-text' : 'text', value: content }
  // The values are JSON. The model interface has mutable types, but the values are never changed.
  return {
    type: isError ? 'error-json' : 'json',
    value: content as Exclude<ModelToolOutput, { type: 'content' | 'execution-denied' }>['value'],
  }
}

/** Converts an answer to a message, with the metadata that providers expect back (signatures, ids). */
export function assistantMessage(reply: Reply): AssistantMessage {
  const content = reply.content.flatMap((part): AssistantMessage['content'] => {
    const options =
      'providerMetadata' in part && part.providerMetadata !== undefined
        ? { providerOptions: part.providerMetadata }
        : {}
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text === '' && part.type === 'text' ? [] : [{ type: part.type, text: part.text, ...options }]
      case 'tool-call': {
        const { toolCallId, toolName, providerExecuted } = part
        const executed = providerExecuted === undefined ? {} : { providerExecuted }
        return [{ type: 'tool-call', toolCallId, toolName, input: argumentsOf(part.input), ...executed, ...options }]
      }
      default:
        return []
    }
  })
  return { role: 'assistant', content }
}

/** Parses call arguments. An empty string means no arguments. */
export function readArguments(input: string): Result<ValueRecord, string> {
  if (input.trim() === '') return ok({})
  const value = readDoubles(input)
  if (!value.ok) return err(`the arguments are not valid JSON: ${value.error[0]?.message ?? 'unreadable'}`)
  return isRecord(value.value) ? ok(value.value) : err(`expected an object as arguments, got ${kindOf(value.value)}`)
}

/** Returns call arguments for a message. Invalid arguments become an empty object. */
export function argumentsOf(input: string): ValueRecord {
  const args = readArguments(input)
  return args.ok ? args.value : {}
}
