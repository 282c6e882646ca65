/** Agent cards of served agents, for clients of A2A 1.0 and 0.3. */
import type { AgentCard } from '@a2a-js/sdk'
import type { Agent } from '@joust/agentformat'
import { own } from '@joust/source'
import { textProperty } from '../model/validate-value.ts'

/** Creates a card for the SDK. */
export function agentCard(agent: Agent, url: string): AgentCard {
  const { id, name, version, description } = agent.document.metadata
  const modes = { inputModes: inputModes(agent), outputModes: outputModes(agent) }
  const endpoint = { url, protocolBinding: 'JSONRPC', tenant: '' }
  return {
    name,
    description,
    version,
    supportedInterfaces: [
      { ...endpoint, protocolVersion: '1.0' },
      { ...endpoint, protocolVersion: '0.3' },
    ],
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: modes.inputModes,
    defaultOutputModes: modes.outputModes,
    skills: [{ id, name, description, tags: [], examples: [], ...modes, securityRequirements: [] }],
    signatures: [],
  }
}

/** Creates the card document, with the fields of A2A 1.0 and 0.3. */
export function cardDocument(agent: Agent, url: string): Record<string, unknown> {
  const card = agentCard(agent, url)
  const skills = card.skills.map(({ id, name, description, tags, inputModes, outputModes }) => {
    return { id, name, description, tags, inputModes, outputModes }
  })
  return {
    protocolVersion: '0.3.0',
    url,
    preferredTransport: 'JSONRPC',
    name: card.name,
    description: card.description,
    version: card.version,
    supportedInterfaces: card.supportedInterfaces,
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills,
  }
}

function inputModes(agent: Agent): string[] {
  const { input } = agent.document.interface
  const takesText = own(input, 'type') === 'string' || textProperty(input) !== undefined
  return takesText ? ['text/plain', 'application/json'] : ['application/json']
}

function outputModes(agent: Agent): string[] {
  return own(agent.document.interface.output, 'type') === 'string' ? ['text/plain'] : ['application/json', 'text/plain']
}
