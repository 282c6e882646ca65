/** Remote agents as tools: one per agent, or one per allowed skill. */
import type { RemoteAgent } from '@joust/agentformat'
import { own } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { CallApproval } from '../model/callable.ts'
import {
  errorObservation,
  type RemoteAgentConnection,
  type RemoteSkill,
  type RemoteThread,
} from '../model/connection.ts'
import type { Candidate } from './names.ts'
import { reportRefusals } from './report-refusals.ts'

/** Returns a remote agent's callables: a single one if there is no allow list (decision 0019, OPEN-44). */
export function remoteCallables(
  remote: RemoteAgent,
  connection: RemoteAgentConnection,
  context: AgentContext,
): Candidate[] {
  // One conversation per execution of the caller, so that its next call can answer the remote agent's question.
  const peer: Peer = { remote, connection, thread: {}, context }
  if (remote.allowed_skills === undefined) {
    // Conditions of a delegation use the calling agent's input.
    return [candidate(peer, { kind: 'remote_agent', over: 'input', approval: remote.approval })]
  }
  return remote.allowed_skills.flatMap((entry) => {
    const id = typeof entry === 'string' ? entry : entry.id
    const own = typeof entry === 'string' ? undefined : entry.approval
    const skill = connection.skills.find((candidate) => candidate.id === id)
    if (skill === undefined) {
      context.warn('tool_not_offered', `remote agent ${remote.alias} has no skill ${JSON.stringify(id)}`)
      return []
    }
    const over = own === undefined ? 'input' : 'args'
    return [candidate(peer, { kind: 'skill', over, approval: own ?? remote.approval }, skill)]
  })
}

interface Peer {
  readonly remote: RemoteAgent
  readonly connection: RemoteAgentConnection
  readonly thread: RemoteThread
  readonly context: AgentContext
}

function candidate(
  { remote, connection, thread, context }: Peer,
  approval: CallApproval,
  skill?: RemoteSkill,
): Candidate {
  const name = skill === undefined ? remote.alias : `${remote.alias}__${skill.id}`
  return {
    fallback: `remote__${name}`,
    lowPriority: false,
    callable: {
      name,
      names: skill === undefined ? [] : [remote.alias, skill.id],
      kind: 'remote',
      description: describe(remote, connection, skill),
      inputSchema: MESSAGE,
      approval,
      thread,
      async invoke(args, signal) {
        const text = own(args, 'message')
        if (typeof text !== 'string') return errorObservation('the argument "message" must be a string')
        context.emit({ type: 'delegation-started', to: 'remote', alias: remote.alias })
        let ok = false
        try {
          const { input_modes: inputModes, output_modes: outputModes } = remote
          const request = { text, thread, skill: skill?.id, inputModes, outputModes }
          const send = () => connection.send(request, signal)
          const observation = await reportRefusals({ peer: 'remote', alias: remote.alias }, context, send)
          ok = !observation.isError
          return observation
        } finally {
          context.emit({ type: 'delegation-finished', to: 'remote', alias: remote.alias, ok })
        }
      },
    },
  }
}

const MESSAGE = {
  type: 'object',
  properties: { message: { type: 'string', description: 'The complete request to the agent.' } },
  required: ['message'],
  // Only the message is sent, so other fields are not allowed.
  additionalProperties: false,
}

/** Returns the description in the document, followed by those in the agent card, as other clients do. */
function describe(remote: RemoteAgent, connection: RemoteAgentConnection, skill: RemoteSkill | undefined): string {
  const skills = skill === undefined ? connection.skills : [skill]
  const lines = skills.map(({ id, name, description }) => [name ?? id, description].filter(Boolean).join(': '))
  const parts = [remote.description, connection.name, connection.description, ...lines].filter(Boolean)
  return parts.length === 0 ? `The remote agent ${remote.alias}.` : parts.join('\n')
}
