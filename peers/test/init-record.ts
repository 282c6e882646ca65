/** The record of agents that `joust init` connects. */
import { join } from 'node:path'
import { peers } from './documents.ts'

/** The outcome of the first attack on an agent from the documentation of its framework. */
export interface InitRow {
  readonly version: string
  readonly date: string
  readonly memory: string
  readonly obeys: string
  readonly refuses: string
}

/** By folder in `init`. */
export type InitRecord = Readonly<Record<string, InitRow>>

export const initFile = join(peers, 'init.json')

/** Returns table rows with a header. */
export function initRows(record: InitRecord): string[][] {
  const rows = Object.entries(record)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { version, date, memory, obeys, refuses }]) => [name, version, date, memory, obeys, refuses])
  return [['agent', 'version', 'run on', 'conversation', 'the model obeys', 'the model is careful'], ...rows]
}
