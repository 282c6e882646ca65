/** A replacement model that calls only tools listed by actors of the run. */
import type { ListedTool } from '@joust/arena'
import type { OfferedTool } from '@joust/models'
import type { LanguageModel } from '@joust/runtime'
import type { Value } from '@joust/source'
import { isListedTool } from '../models/listed-tools.ts'

type ModelCall = Parameters<LanguageModel['doGenerate']>[0]

/** Hides a tool from a model unless an actor listed it or `isOfActor` returns true for its name. */
export function replacementModel(
  model: LanguageModel,
  listed: () => readonly ListedTool[],
  isOfActor: (tool: string) => boolean,
): LanguageModel {
  const restricted = (call: ModelCall): ModelCall => {
    const { tools = [], toolChoice, ...rest } = call
    const offered = tools.flatMap((tool) => (tool.type === 'function' ? [offeredTool(tool)] : []))
    const names = new Set(
      offered.filter((tool) => isOfActor(tool.name) || isListedTool(tool, offered, listed())).map(({ name }) => name),
    )
    const allowed = tools.filter(({ name }) => names.has(name))
    return { ...rest, ...(allowed.length > 0 && { tools: allowed, ...(toolChoice && { toolChoice }) }) }
  }
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (call) => model.doGenerate(restricted(call)),
    doStream: (call) => model.doStream(restricted(call)),
  }
}

function offeredTool(tool: { name: string; description?: string | undefined; inputSchema: object }): OfferedTool {
  // JSON Schemas are JSON values.
  return { name: tool.name, description: tool.description ?? '', schema: tool.inputSchema as unknown as Value }
}
