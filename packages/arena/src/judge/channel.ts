/** The channel through which planted text would reach the model. */
import { carriersIn, type LoadedAttack, type Planted } from '@joust/oatf'
import type { Channel, ChannelState, KnownFacts } from '@joust/results'

/**
 * Derives the channel from the location of a text in the document. Returns undefined for a text outside all channels.
 */
export function channelOf({ at, kind, role, value }: Planted): Channel | undefined {
  if (kind === 'idle' || kind === 'question') return undefined
  const state = at.indexOf('state')
  const [key, ...below] = state < 0 ? [] : at.slice(state + 1)
  if (key === undefined || key === 'actions') return role === 'client' ? 'message' : undefined
  if (key === 'run_agent_input') return inputChannels[String(below[0])] ?? toolChannel(below, value)
  if (key === 'tools' && kind === 'listing') return toolChannel(below, value)
  return stateChannels[String(key)]
}

const inputChannels: Readonly<Record<string, Channel>> = { messages: 'message', context: 'context', state: 'state' }

const stateChannels: Readonly<Record<string, Channel>> = {
  tools: 'tool_result',
  tool_responses: 'tool_result',
  resources: 'resource',
  resource_templates: 'resource',
  prompts: 'prompt',
  instructions: 'server_instructions',
  agent_card: 'agent_card',
  task_responses: 'agent_answer',
}

/** A tool has two channels: its description and its schema. */
function toolChannel(below: Planted['at'], value: Planted['value']): Channel | undefined {
  const [carrier] = carriersIn(value)
  const place = [...below, ...(carrier?.at ?? [])]
  if (!place.includes('tools') && typeof place[0] !== 'number') return undefined
  return place.some((step) => step === 'inputSchema' || step === 'outputSchema' || step === 'parameters')
    ? 'tool_schema'
    : 'tool_description'
}

/** Lists the channels of all baits. */
export function baitChannels({ plants }: LoadedAttack): readonly Channel[] {
  return [...new Set(plants.baits.flatMap(({ items }) => items.flatMap((item) => channelOf(item) ?? [])))]
}

/** True if a preflight or the user has determined the state of a bait channel, even as unknown. */
export function isChecked(attack: LoadedAttack, { channels }: KnownFacts = {}): boolean {
  return channels !== undefined && baitChannels(attack).some((channel) => channels[channel] !== undefined)
}

/** One bait that reaches the model is enough. */
export function baitChannel({ plants }: LoadedAttack, { channels = {} }: KnownFacts): ChannelState {
  const states = plants.baits
    .flatMap(({ items }) => items)
    .map((item) => {
      const channel = channelOf(item)
      return (channel && channels[channel]) ?? 'unknown'
    })
  const [first = 'unknown'] = states
  return (['yes', 'declared', 'unknown'] as const).find((state) => states.includes(state)) ?? first
}
