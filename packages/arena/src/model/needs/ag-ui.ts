/** The needs of an `ag_ui_client`: everything in a `run_agent_input` except the last user message. */
import type { Actor } from '@joust/oatf'
import { isList, isRecord, own, ownList, type Value, type ValueRecord } from '@joust/source'
import { isNothing, isTemplate, type Need, needsWhere, otherKeys, textOfParts, writtenSends } from './need.ts'

const fields: readonly (readonly [string, Need['name']])[] = [
  ['tools', 'tools'],
  ['state', 'state'],
  ['context', 'context'],
  ['forwardedProps', 'forwarded_props'],
  ['resume', 'interrupts'],
]

const plainFields = new Set([
  'threadId',
  'runId',
  'parentRunId',
  'messages',
  'synthesize',
  ...fields.map(([key]) => key),
])

export function agUiNeeds(actor: Actor): readonly Need[] {
  const threads = new Map<string, Set<string>>()
  const ofState = actor.phases.flatMap(({ state }) => {
    const tools = needsWhere({
      tools: !isNothing(own(state, 'tool_responses')),
      interrupts: !isNothing(own(state, 'x-joust-resume')),
    })
    const input = own(state, 'run_agent_input')
    return input === undefined ? tools : [...tools, ...inputNeeds(input, threads)]
  })
  const sent = writtenSends(actor).flatMap(({ method, params }): readonly Need[] =>
    method === 'run_agent_input' ? inputNeeds(params, threads) : [{ name: 'methods', what: method }],
  )
  return [...ofState, ...sent]
}

/** `threads` holds the user messages seen in each thread. */
function inputNeeds(input: Value, threads: Map<string, Set<string>>): readonly Need[] {
  if (!isRecord(input)) return [{ name: 'silence' }]
  const thread = own(input, 'threadId')
  // Without a thread id, every run starts a new thread.
  const before = typeof thread === 'string' ? threads.get(thread) : undefined
  const texts = before ?? new Set<string>()
  if (typeof thread === 'string') threads.set(thread, texts)
  const beside = fields.flatMap(([key, name]): Need[] => (isNothing(own(input, key)) ? [] : [{ name }]))
  const others = otherKeys(input, plainFields).map((what): Need => ({ name: 'fields', what }))
  const turns = needsWhere({ turns: before !== undefined })
  return [...turns, ...messageNeeds(ownList(input, 'messages'), texts, before !== undefined), ...beside, ...others]
}

function messageNeeds(messages: readonly Value[], texts: Set<string>, isLater: boolean): readonly Need[] {
  const list = messages.map((message) => (isRecord(message) ? message : {}))
  const last = list.at(-1)
  if (last === undefined) return [{ name: 'silence' }]
  if (own(last, 'role') !== 'user') return [{ name: 'history' }]
  const text = textOf(own(last, 'content'))
  const isKnown = (message: ValueRecord) => {
    const content = own(message, 'content')
    if (own(message, 'role') === 'user') return texts.has(textOf(content) ?? '')
    // A template inserts the agent's actual answer, so it is not forged.
    return isLater && own(message, 'role') === 'assistant' && isTemplate(content) && Object.keys(message).length <= 3
  }
  const forged = list.slice(0, -1).some((message) => !isKnown(message))
  if (text !== undefined) texts.add(text)
  return needsWhere({ history: forged, parts: text === undefined, silence: text === '' })
}

function textOf(content: Value | undefined): string | undefined {
  if (typeof content === 'string') return content
  return isList(content) ? textOfParts(content) : undefined
}
