import { count } from '@joust/source'
import { type Channel, type ChannelState, channels } from '../model/controls.ts'
import type { ResultPreflight } from '../model/results.ts'

/** Returns the display name of a channel, such as `tool description`. */
export function channelName(channel: Channel): string {
  return channel.replaceAll('_', ' ')
}

/**
 * Summarizes a preflight in one line: abilities, memory and channels that reach the model. Returns undefined if the
 * preflight did not pass.
 */
export function preflightSummary({
  status,
  asked,
  channels: states = {},
  remembers,
  lists_tools,
  usage,
}: ResultPreflight): string | undefined {
  if (status !== 'passed') return undefined
  const channelsIn = (...wanted: readonly ChannelState[]) =>
    channels.filter((channel) => wanted.some((state) => states[channel] === state)).map(channelName)
  const list = (lead: string, names: readonly string[]) => (names.length === 0 ? [] : [`${lead}: ${names.join(', ')}`])
  const reached = [
    ...list('reaches the model', channelsIn('yes', 'declared')),
    ...list('not', channelsIn('no')),
    ...list('unknown', channelsIn('unknown')),
  ]
  const works = [asked === 'tool_call' ? 'tool call ok' : 'answers', ...(remembers ? [memory[remembers]] : [])]
  if (lists_tools === 'once') works.push('lists tools once, so it is restarted for each run')
  const tokens = usage === undefined ? [] : [count(usage.input_tokens + usage.output_tokens, 'token')]
  return [...works, ...tokens, ...(reached.length === 0 ? [] : [reached.join('; ')])].join(', ')
}

const memory = { yes: 'remembers', no: 'forgets', unknown: 'memory unknown' } as const
