/**
 * Payloads of AG-UI clients ([OATF §7.3.4](https://oatf.io/specification/protocol-bindings/ag-ui/)): the input and tool
 * results.
 */
import { own } from '@joust/source'
import { siteAt, sitesAt, without } from '../../walk/walk.ts'
import type { Collector, Draft } from './payload.ts'

export const agUiClientPayloads: Collector = (state) => {
  const inputs = [siteAt(state, 'run_agent_input') ?? []].flat().map(({ path, value }): Draft => {
    return { surface: 'run_agent_input', direction: 'request', content: without(value, 'synthesize'), path }
  })
  const results = sitesAt(state, 'tool_responses').flatMap(({ path, value }): Draft[] => {
    const content = own(value, 'content')
    if (content === undefined) return []
    return [{ surface: 'tool_call_result', direction: 'request', content, path, askedFor: true }]
  })
  return [...inputs, ...results]
}
