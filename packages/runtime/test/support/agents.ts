/** Hand-built agents, with leaves that are functions. */
import type { Agent, AgentDocument, InterfaceSchema, LocalAgent } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { VendorCall } from '../../src/model/options.ts'

/** The parts of an agent that a test cares about. */
export interface AgentParts {
  readonly id?: string
  readonly input?: InterfaceSchema
  readonly output?: InterfaceSchema
  readonly policy?: AgentDocument['execution_policy']
  readonly agents?: Readonly<Record<string, Agent>>
  /** Further fields for the entries of `agents`. */
  readonly entries?: Readonly<Record<string, Partial<LocalAgent>>>
  readonly action_space?: AgentDocument['action_space']
  readonly constraints?: AgentDocument['constraints']
  readonly memory?: AgentDocument['memory']
  readonly metadata?: Partial<AgentDocument['metadata']>
}

/** What a leaf does. */
export type Behaviour = (call: VendorCall) => Promise<Value> | Value

const behaviours = new WeakMap<Agent, Behaviour>()

/** The policy of leaves, to be registered with the runtime as `x-test.leaf`. */
export async function leafPolicy(call: VendorCall): Promise<Value> {
  return behaviours.get(call.agent)?.(call) ?? null
}

/** An agent whose policy is a function. */
export function leaf(behaviour: Behaviour, parts: AgentParts = {}): Agent {
  const agent = makeAgent({ policy: { id: 'x-test.leaf', config: {} }, ...parts })
  behaviours.set(agent, behaviour)
  return agent
}

/** An agent with any input and output. */
export function makeAgent(parts: AgentParts): Agent {
  const { agents = {}, entries = {}, id = 'agent' } = parts
  const local_agents = Object.keys(agents).map((alias) => ({ alias, source: `${alias}.agf.yaml`, ...entries[alias] }))
  const document: AgentDocument = {
    schema_version: '1.0.0',
    metadata: { id, name: id, version: '1', description: `The agent ${id}.`, ...parts.metadata },
    interface: { input: parts.input ?? {}, output: parts.output ?? {} },
    execution_policy: parts.policy ?? { id: 'x-test.leaf', config: {} },
    action_space: { ...parts.action_space, local_agents },
    ...(parts.constraints === undefined ? {} : { constraints: parts.constraints }),
    ...(parts.memory === undefined ? {} : { memory: parts.memory }),
  }
  return { source: `${id}.agf.yaml`, document, agents: new Map(Object.entries(agents)) }
}

/** An object schema with the given properties, all required unless said otherwise. */
export function object(
  properties: Readonly<Record<string, Value>>,
  required = Object.keys(properties),
): InterfaceSchema {
  return { type: 'object', properties, required }
}
