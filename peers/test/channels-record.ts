/** The record of the channels through which MCP server texts reach an agent's model. */

import { join } from 'node:path'
import { peers } from './documents.ts'

/** The text channels of an MCP server. */
export const channelNames = [
  'tool description',
  'parameter description',
  'tool result',
  'server instructions',
  'tool title',
] as const

/** How a text reached the model: unchanged, up to white space and escapes, in part, or not at all. */
export type Channels = Readonly<Record<string, 'exact' | 'plain' | 'part' | 'no'>>

/** By agent and version. */
export type ChannelsRecord = Readonly<Record<string, Channels>>

export const channelsFile = join(peers, 'channels.json')

/** Returns table rows with a header. */
export function channelRows(record: ChannelsRecord): string[][] {
  const rows = Object.entries(record).map(([name, channels]) => [
    name,
    ...channelNames.map((channel) => channels[channel] ?? ''),
  ])
  return [['agent', ...channelNames], ...rows]
}
