import type { AGUIEvent } from '@ag-ui/core'
import { expect, it } from 'vitest'
import { createSubagentEvents } from '../../src/serve/ag-ui-parts.ts'

it('concurrent delegations to one agent are identified by their calls', () => {
  const sent: AGUIEvent[] = []
  const subagents = createSubagentEvents('r', (event) => void sent.push(event))
  const common = { run: 'run-1', at: 0, agent: [], to: 'local', alias: 'clerk' } as const
  for (const call of ['a', 'b']) subagents.convert({ ...common, type: 'delegation-started', call })
  subagents.convert({ ...common, type: 'delegation-finished', call: 'b', ok: false })
  subagents.convert({ ...common, type: 'delegation-finished', call: 'a', ok: true })
  expect(sent.slice(2)).toMatchObject([
    { type: 'SUBAGENT_ERROR', subagentRunId: 'r.agent.2' },
    { type: 'SUBAGENT_FINISHED', subagentRunId: 'r.agent.1' },
  ])
})
