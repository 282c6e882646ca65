/** `tools/call`: the dispatch entry that answers, sent as it is written (§7.0.1, §7.0.3). */
import { isList } from '@joust/source'
import { jsonRpcCodes } from '../../json-rpc.ts'
import { type Call, failure, filledResult, type Outcome, param } from '../call.ts'
import { findDefinition } from '../definitions.ts'
import { during, elicitations } from '../interludes.ts'

/** Calls a tool. */
export async function callTool(call: Call): Promise<Outcome> {
  const name = param(call, 'name')
  const tool = findDefinition(call, 'tools', 'name', name)
  if (tool === undefined) return failure(jsonRpcCodes.invalidParams, `Unknown tool: ${String(name)}`)
  const entry = call.stage.choose(tool.value.responses, call.params, `${tool.path}.responses`)
  const unfinished = await call.interlude([...elicitations(call), ...during(call, entry, tool.path)])
  if (unfinished !== undefined) return unfinished
  const content = entry?.content
  if (content === undefined) return { result: { content: [] } }
  return filledResult(call, isList(content) ? { content } : content)
}
