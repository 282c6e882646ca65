/** The record of the channels through which texts of an MCP server reach the model of an agent. */

import { join } from 'node:path'
import { peers } from './documents.ts'

/** The places of an MCP server for texts. */
export const channelNames = [
  'tool description',
  'parameter description',
  'tool result',
  'server instructions',
  'tool title',
] as const

/** The form in which a text reached the model: as it is, up to white space and escapes, in part, or not at all. */
export type Channels = Readonly<Record<string, 'exact' | 'plain' | 'part' | 'no'>>

/** By agent, with its version. */
export type ChannelsRecord = Readonly<Record<string, Channels>>

/** The file of the record. */
export const channelsFile = join(peers, 'channels.json')

/** Rows of a table with a head. */
export function channelRows(record: ChannelsRecord): string[][] {
  const rows = Object.entries(record).map(([name, channels]) => [
    name,
    ...channelNames.map((channel) => channels[channel] ?? ''),
  ])
  return [['agent', ...channelNames], ...rows]
}
