/** Wire format of Gemini: `generateContent` and `streamGenerateContent`. */
import { defined, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { ModelAnswer, OfferedTool, PromptMessage, ToolChoice } from '../model/call.ts'
import { noteFinish, noteUsage } from './draft.ts'
import { either, message, numberIn, records, resultText, roleOf } from './fields.ts'
import { piecesOf, type WireFormat, type WriteOptions } from './wire.ts'

const MODEL = /\/models\/([^/:?]+):/

export const gemini: WireFormat = {
  readRequest(body, path) {
    const config = either(body, 'generationConfig', 'generation_config')
    const system = either(body, 'systemInstruction', 'system_instruction')
    return defined({
      model: MODEL.exec(path)?.[1],
      messages: [...message('system', own(system, 'parts')), ...records(body, 'contents').flatMap(messagesOf)],
      tools: records(body, 'tools').flatMap(toolsOf),
      choice: choiceOf(either(body, 'toolConfig', 'tool_config')),
      answerSchema: either(config, 'responseJsonSchema', 'responseSchema'),
      streamed: /:streamGenerateContent\b/.test(path),
    })
  },

  readPart(part, draft) {
    const [candidate] = records(part, 'candidates')
    for (const piece of records(own(candidate, 'content'), 'parts')) {
      if (own(piece, 'thought') !== true) draft.text += ownText(piece, 'text') ?? ''
      const call = own(piece, 'functionCall')
      if (!isRecord(call)) continue
      const name = ownText(call, 'name') ?? ''
      const fields = { id: ownText(call, 'id') ?? name, name, json: '', input: own(call, 'args') ?? {} }
      draft.calls.set(String(draft.calls.size), fields)
    }
    const blocked = ownText(own(part, 'promptFeedback'), 'blockReason')
    noteFinish(draft, own(candidate, 'finishReason') ?? (blocked === undefined ? undefined : 'SAFETY'))
    const usage = own(part, 'usageMetadata')
    const written = numberIn(usage, 'candidatesTokenCount')
    const thoughts = numberIn(usage, 'thoughtsTokenCount')
    noteUsage(draft, {
      input: numberIn(usage, 'promptTokenCount'),
      output: written === undefined && thoughts === undefined ? undefined : (written ?? 0) + (thoughts ?? 0),
      cached: numberIn(usage, 'cachedContentTokenCount'),
    })
  },

  isLast: (part) => ownText(records(part, 'candidates')[0], 'finishReason') !== undefined,

  writeWhole(answer, options) {
    const text = answer.text === '' ? [] : [{ text: answer.text }]
    return responseOf([...text, ...callParts(answer)], answer, options, wordOf(answer))
  },

  writeEvents(answer, options) {
    const calls = callParts(answer)
    return [
      ...piecesOf(answer.text).map((text) => responseOf([{ text }], answer, options)),
      responseOf(calls.length > 0 ? calls : [{ text: '' }], answer, options, wordOf(answer)),
    ]
  },

  writeError({ message, status }) {
    const names: Readonly<Record<number, string>> = {
      400: 'INVALID_ARGUMENT',
      404: 'NOT_FOUND',
      429: 'RESOURCE_EXHAUSTED',
    }
    return { error: { code: status, message, status: names[status] ?? 'INTERNAL' } }
  },
}

function messagesOf(record: ValueRecord): PromptMessage[] {
  return records(record, 'parts').flatMap((part): PromptMessage[] => {
    const call = either(part, 'functionCall', 'function_call')
    const result = either(part, 'functionResponse', 'function_response')
    if (call !== undefined) return [{ role: 'call', ...nameOf(call), input: own(call, 'args') ?? {} }]
    if (result === undefined)
      return message(own(part, 'thought') === true ? 'reasoning' : roleOf(record), own(part, 'text'))
    const response = own(result, 'response')
    const text = resultText(either(response, 'output', 'result', 'content', 'error') ?? response)
    return [{ role: 'result', id: nameOf(result).id, text }]
  })
}

function nameOf(record: Value): { readonly id: string; readonly name: string } {
  const name = ownText(record, 'name') ?? ''
  return { id: ownText(record, 'id') ?? name, name }
}

function toolsOf(record: ValueRecord): OfferedTool[] {
  const declared = [...records(record, 'functionDeclarations'), ...records(record, 'function_declarations')]
  return declared.flatMap((tool): OfferedTool[] => {
    const name = ownText(tool, 'name')
    const schema = either(tool, 'parametersJsonSchema', 'parameters_json_schema', 'parameters') ?? {}
    return name === undefined ? [] : [{ name, description: ownText(tool, 'description') ?? '', schema }]
  })
}

function choiceOf(config: Value | undefined): ToolChoice {
  const calling = either(config, 'functionCallingConfig', 'function_calling_config')
  const mode = ownText(calling, 'mode')
  return mode === 'ANY' ? 'required' : mode === 'NONE' ? 'none' : 'auto'
}

function callParts({ calls }: ModelAnswer): object[] {
  return calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))
}

function responseOf(
  parts: object[],
  { usage }: ModelAnswer,
  { id, model }: WriteOptions,
  finishReason?: string,
): object {
  const { input = 0, output = 0, cached = 0 } = usage ?? {}
  const counts = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output }
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    usageMetadata: { ...counts, cachedContentTokenCount: cached },
    modelVersion: model,
    responseId: id,
  }
}

function wordOf({ finish }: ModelAnswer): string {
  return finish.kind === 'cut' ? 'MAX_TOKENS' : finish.kind === 'filtered' ? 'SAFETY' : 'STOP'
}
