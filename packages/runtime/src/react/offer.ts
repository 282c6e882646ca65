/** What a model is offered in a step: what the agent can call, tools of the client, the tool that takes the answer. */
import type { InterfaceSchema } from '@joust/agentformat'
import { own, type ValueRecord } from '@joust/source'
import type { Callable } from '../model/callable.ts'
import type { ClientTool } from '../model/conversation.ts'
import type { ModelSchema, ModelTool } from '../model/language-model.ts'
import { assignNames, FINAL_OUTPUT } from '../tools/names.ts'
import { finalToolSchema } from './output.ts'

/** The offer of one step. */
export interface Offer {
  readonly tools: readonly ModelTool[]
  /** By the name that the model sees. */
  readonly callables: ReadonlyMap<string, Callable>
  readonly clientTools: ReadonlyMap<string, ClientTool>
  /** Whether the answer is given by a call (`tool_choice: required`, OPEN-48.2). */
  readonly final: boolean
}

/** Nothing to call. */
export const emptyOffer: Offer = { tools: [], callables: new Map(), clientTools: new Map(), final: false }

/** Puts an offer together. A tool of the client never takes the name of one of the agent's own. */
export function makeOffer(
  callables: readonly Callable[],
  clientTools: readonly ClientTool[],
  output: InterfaceSchema,
  final: boolean,
): Offer {
  const clients = nameClientTools(callables, clientTools)
  const tools = [
    ...callables.map((callable) => modelTool(callable.name, callable.description, callable.inputSchema)),
    ...[...clients].map(([name, tool]) => modelTool(name, tool.description, tool.inputSchema)),
    ...(final ? [finalTool(output)] : []),
  ]
  return {
    tools,
    callables: new Map(callables.map((callable) => [callable.name, callable])),
    clientTools: clients,
    final,
  }
}

function finalTool(output: InterfaceSchema): ModelTool {
  const { inputSchema } = finalToolSchema(output)
  return modelTool(FINAL_OUTPUT, 'Gives the final answer and ends the task.', inputSchema)
}

/** Providers want an object at the root of a schema, whatever a server says. */
function modelTool(name: string, description: string | undefined, schema: ValueRecord): ModelTool {
  const inputSchema = own(schema, 'type') === 'object' ? schema : { ...schema, type: 'object' }
  const described = description === undefined ? {} : { description }
  // Our JSON Schemas are schemas of the port.
  return { type: 'function', name, ...described, inputSchema: inputSchema as ModelSchema }
}

function nameClientTools(
  callables: readonly Callable[],
  tools: readonly ClientTool[],
): ReadonlyMap<string, ClientTool> {
  const declared = callables.map(({ name }) => ({ name, otherwise: name, yields: false }))
  const ofClient = tools.map(({ name }) => ({ name, otherwise: `client__${name}`, yields: true }))
  const names = assignNames([...declared, ...ofClient]).slice(declared.length)
  return new Map(tools.map((tool, index) => [names[index] ?? tool.name, tool]))
}
