/** The tools of a step: the agent's callables, client tools, and the final-answer tool. */
import type { InterfaceSchema } from '@joust/agentformat'
import { defined, own, type ValueRecord } from '@joust/source'
import type { Callable } from '../model/callable.ts'
import type { ClientTool } from '../model/conversation.ts'
import type { ModelSchema, ModelTool } from '../model/language-model.ts'
import { assignNames, FINAL_OUTPUT } from '../tools/names.ts'
import { finalToolSchema } from './output.ts'

export interface StepTools {
  readonly tools: readonly ModelTool[]
  /** Callables by the name shown to the model. */
  readonly callables: ReadonlyMap<string, Callable>
  readonly clientTools: ReadonlyMap<string, ClientTool>
  /** True if the final answer is a tool call (`tool_choice: required`, decision 0019, OPEN-48.2). */
  readonly final: boolean
}

export const noTools: StepTools = { tools: [], callables: new Map(), clientTools: new Map(), final: false }

/** Collects the tools of a step. On a name conflict, the client tool is renamed. */
export function buildStepTools(
  callables: readonly Callable[],
  clientTools: readonly ClientTool[],
  output: InterfaceSchema,
  final: boolean,
): StepTools {
  const clients = nameClientTools(callables, clientTools)
  const tools = [
    ...callables.map((callable) => modelTool(callable.name, callable.description, callable.inputSchema)),
    ...[...clients].map(([name, tool]) => modelTool(name, tool.description, tool.inputSchema)),
    ...(final ? [finalTool(output)] : []),
  ]
  const byName = new Map(callables.map((callable) => [callable.name, callable]))
  return { tools, callables: byName, clientTools: clients, final }
}

function finalTool(output: InterfaceSchema): ModelTool {
  const { inputSchema } = finalToolSchema(output)
  return modelTool(FINAL_OUTPUT, 'Gives the final answer and ends the task.', inputSchema)
}

/** Creates a tool definition. Providers require an object at the root of its schema. */
function modelTool(name: string, description: string | undefined, schema: ValueRecord): ModelTool {
  const inputSchema = own(schema, 'type') === 'object' ? schema : { ...schema, type: 'object' }
  // Every JSON Schema is a valid model schema.
  return { type: 'function', name, ...defined({ description }), inputSchema: inputSchema as ModelSchema }
}

function nameClientTools(
  callables: readonly Callable[],
  tools: readonly ClientTool[],
): ReadonlyMap<string, ClientTool> {
  const declared = callables.map(({ name }) => ({ name, fallback: name, lowPriority: false }))
  const clientNames = tools.map(({ name }) => ({ name, fallback: `client__${name}`, lowPriority: true }))
  const names = assignNames([...declared, ...clientNames]).slice(declared.length)
  return new Map(tools.map((tool, index) => [names[index] ?? tool.name, tool]))
}
