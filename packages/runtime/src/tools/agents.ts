/** Sub-agents as tools, whose arguments are the sub-agent's input. */
import type { Agent, LocalAgent } from '@joust/agentformat'
import { own, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import { wrapSchema } from '../model/wrap-schema.ts'
import type { Candidate } from './names.ts'

/** Returns an agent's local agents. Calls to them count as delegations, not as tool calls. */
export function agentCallables({ agent }: AgentContext, delegate: PolicyCall['delegate']): Candidate[] {
  const declared = agent.document.action_space?.local_agents ?? []
  return declared.flatMap((entry) => {
    const child = agent.agents.get(entry.alias)
    return child === undefined ? [] : [candidate(entry, child, delegate)]
  })
}

function candidate(entry: LocalAgent, child: Agent, delegate: PolicyCall['delegate']): Candidate {
  const { input } = child.document.interface
  const wrapped = input.type !== 'object'
  return {
    fallback: `agent__${entry.alias}`,
    lowPriority: false,
    callable: {
      name: entry.alias,
      names: [],
      kind: 'agent',
      description: entry.description ?? child.document.metadata.description,
      inputSchema: wrapped ? { ...wrapSchema(input, 'input'), additionalProperties: false } : input,
      // `delegate` requests approval itself.
      approval: { kind: 'agent', over: 'input' },
      async invoke(args, _, call) {
        const content = await delegate(entry.alias, wrapped ? unwrap(args) : args, { place: { call } })
        return { content, isError: false }
      },
    },
  }
}

function unwrap(args: Value): Value {
  const input = own(args, 'input')
  return input === undefined ? args : input
}
