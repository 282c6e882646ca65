/** What the agent answers to A2A clients that ask for streams: not a task, but its parts as they come. */
import { isList, isRecord, own, type Value } from '@joust/source'
import { sameWords } from '../bindings/same-words.ts'
import { type IndicatorSite, textOf } from '../rules/walk.ts'
import type { Place, Places } from './places.ts'
import type { Reading } from './targets.ts'

const STREAM = 'message/stream'
const ASKING = ['message/send', STREAM]

/** Where a stream has the text of an artifact. */
export const STREAMED: Required<Reading> = { target: 'artifact.parts[*].text', surface: 'task/artifact' }

/** Whether all that an indicator of A2A sees is streamed: its actor, or every client, asks for nothing else. */
export function seesStreams({ value, protocol }: IndicatorSite, { phases }: Pick<Places, 'phases'>): boolean {
  if (protocol !== 'a2a') return false
  const actor = textOf(value, 'actor')
  const methods = phases
    .filter((phase) => phase.mode === 'a2a_client' && (actor === undefined || phase.actor === actor))
    .flatMap(({ state }) => (state === undefined ? [] : askedBy(state)))
  return methods.length > 0 && methods.every((method) => method === STREAM)
}

/** How a state asks, in the words of any dialect. */
function askedBy({ value }: Place): string[] {
  const actions = own(value, 'actions')
  if (isList(actions)) {
    return actions.flatMap(wordsOf).flatMap((word) => sameWords(word, ASKING) ?? [])
  }
  if (own(value, 'task_message') === undefined) return []
  return [own(value, 'streaming') === true ? STREAM : 'message/send']
}

function wordsOf(action: Value): readonly string[] {
  if (!isRecord(action)) return typeof action === 'string' ? [action] : []
  const method = textOf(action, 'method')
  return method === undefined ? Object.keys(action) : [method]
}
