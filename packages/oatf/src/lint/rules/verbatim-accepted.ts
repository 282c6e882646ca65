import { own } from '@joust/source'
import { placesIn, VERBATIM } from '../../dialects/places.ts'
import { dialectTable } from '../../dialects/table.ts'
import type { LintRule } from '../rule.ts'

export const verbatimAccepted: LintRule = {
  summary: 'A document that is sent as written (`x-joust-verbatim`) contains nothing that an agent may reject.',
  check({ walk }, report) {
    const verbatim = own(walk.attack, VERBATIM)
    if (verbatim === undefined || verbatim === false) return
    const path = ['attack', VERBATIM]
    if (verbatim !== true) {
      report(path, 'expected true or false; other values have no effect')
      return
    }
    const places = placesIn(walk.document)
    const pending = dialectTable.filter(({ does, find }) => does !== 'reads' && find(places).length > 0)
    if (pending.length === 0) return
    const codes = pending.map(({ code }) => code).join(', ')
    report(path, `sent as written, although agents may reject a message or not reach an actor: ${codes}`)
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
