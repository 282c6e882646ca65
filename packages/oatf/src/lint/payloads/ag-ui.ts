/** What AG-UI clients send (§7.3.4). */
import { isRecord, own } from '@joust/source'
import { type Collector, type Draft, entriesAt, without } from './payload.ts'

/** The input, and the results of tools. */
export const agUiClientPayloads: Collector = (state, path) => {
  const input = own(state, 'run_agent_input')
  const inputs: Draft[] = isRecord(input)
    ? [
        {
          surface: 'run_agent_input',
          direction: 'request',
          content: without(input, 'synthesize'),
          path: [...path, 'run_agent_input'],
        },
      ]
    : []
  const results = entriesAt(state, 'tool_responses', path).flatMap(({ entry, path: at }): Draft[] => {
    const content = own(entry, 'content')
    if (content === undefined) return []
    return [{ surface: 'tool_call_result', direction: 'request', content, path: at, askedFor: true }]
  })
  return [...inputs, ...results]
}
