import { isList, own, type Value } from '@joust/source'
import type { Edit } from './edits.ts'
import { type Place, placesAt, statesOf } from './places.ts'
import type { Found, Translation } from './translation.ts'

/** The extension that says what is sent before an answer. */
const DURING = 'x-joust-during'

/** Every answer repeats the messages: a document with many of both would grow beyond measure. */
const MOST_ANSWERS = 64

/** What is sent before each answer, and how it was called. */
const sent = [
  { key: 'logging', method: 'notifications/message' },
  { key: 'sampling_requests', method: 'sampling/createMessage' },
] as const

/** `sampling_requests` and `logging` of a server are sent before each answer of its tools (D-009). */
export const sideMessages: Translation = (places) => statesOf(places, 'mcp_server').flatMap(duringAnswers)

function duringAnswers(state: Place): Found[] {
  const steps = sent.flatMap(({ key, method }) => stepsOf(own(state.value, key), method))
  const [first] = sent.filter(({ key }) => stepsOf(own(state.value, key), '').length > 0)
  const answers = placesAt(state, 'tools').flatMap((tool) => placesAt(tool, 'responses'))
  if (first === undefined || answers.length === 0 || answers.length > MOST_ANSWERS) return []
  if (answers.some(({ value }) => own(value, DURING) !== undefined)) return []
  const at = [...state.path, first.key]
  const removed = sent.filter(({ key }) => isList(own(state.value, key)))
  return [
    {
      at,
      message: `"${first.key}" is read as "${DURING}" of every answer of the server's tools`,
      edits: [
        ...answers.map(({ path }): Edit => ({ op: 'set', path: [...path, DURING], value: steps, from: at })),
        ...removed.map(({ key }): Edit => ({ op: 'remove', path: [...state.path, key] })),
      ],
    },
  ]
}

function stepsOf(list: Value | undefined, method: string): Value[] {
  return isList(list) ? list.map((params) => ({ send: { method, params } })) : []
}
