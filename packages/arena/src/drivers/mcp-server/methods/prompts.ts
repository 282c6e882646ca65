/** `prompts/get`: the messages of the dispatch entry that answers, sent as they are written (§7.1.4). */
import { isList, isRecord, own, type Value } from '@joust/source'
import { jsonRpcCodes } from '../../json-rpc.ts'
import { type Call, failure, filledResult, type Outcome, param } from '../call.ts'
import { findDefinition } from '../definitions.ts'
import { during, elicitations } from '../interludes.ts'

/** Gets a prompt. */
export async function getPrompt(call: Call): Promise<Outcome> {
  const name = param(call, 'name')
  const prompt = findDefinition(call, 'prompts', 'name', name)
  if (prompt === undefined) return failure(jsonRpcCodes.invalidParams, `Unknown prompt: ${String(name)}`)
  const entry = call.stage.choose(prompt.value.responses, call.params, `${prompt.path}.responses`)
  const unfinished = await call.interlude([...elicitations(call), ...during(call, entry, prompt.path)])
  if (unfinished !== undefined) return unfinished
  const messages = isRecord(entry) ? own(entry, 'messages') : undefined
  const content = entry?.content
  if (messages === undefined && content !== undefined && !isList(content)) return filledResult(call, content)
  return filledResult(call, { ...described(prompt.value.description), messages: messages ?? content ?? [] })
}

function described(description: Value | undefined): { readonly description?: Value } {
  return description === undefined ? {} : { description }
}
