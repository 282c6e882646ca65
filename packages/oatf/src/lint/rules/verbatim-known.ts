import { own } from '@joust/source'
import { placesIn, VERBATIM } from '../../dialects/places.ts'
import { dialectTable } from '../../dialects/table.ts'
import type { LintRule } from '../rule.ts'

export const verbatimKnown: LintRule = {
  summary: 'A document that goes on the wire as written (x-joust-verbatim) has nothing that an agent may refuse.',
  check({ walk }, report) {
    const verbatim = own(walk.attack, VERBATIM)
    if (verbatim === undefined || verbatim === false) return
    const path = ['attack', VERBATIM]
    if (verbatim !== true) {
      report(path, 'expected true or false; anything else changes nothing')
      return
    }
    const places = placesIn(walk.document)
    const left = dialectTable.filter(({ does, find }) => does !== 'reads' && find(places).length > 0)
    if (left.length === 0) return
    const codes = left.map(({ code }) => code).join(', ')
    report(path, `what an agent may refuse or not reach goes on the wire as written: ${codes}`)
  },
  good: `
oatf: "0.1"
attack:
  x-joust-verbatim: true
  execution:
    mode: ag_ui_client
    state:
      run_agent_input:
        threadId: t-1
        runId: r-1
        messages: [{ id: m-1, role: user, content: Hello. }]
  x-joust-bait: [attack.execution.state.run_agent_input]
  indicators:
    - surface: tool_call_start
      target: toolCallName
      pattern: { condition: transfer }
`,
  mistake: ['id: m-1, ', ''],
  path: 'attack.x-joust-verbatim',
}
