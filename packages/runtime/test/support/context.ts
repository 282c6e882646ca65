/** A context for tests of single parts. */

import { AgentBudget, newTotals } from '../../src/budget/agent-budget.ts'
import type { LimitValues } from '../../src/budget/bounds.ts'
import type { AgentContext } from '../../src/context/agent-context.ts'
import type { EventBody } from '../../src/model/events.ts'
import { makeAgent } from './agents.ts'
import { fakeClock } from './clock.ts'

/** A context with a clock that stands still; it keeps the events. */
export function testContext(parts: Partial<AgentContext> & { readonly limits?: LimitValues } = {}) {
  const { limits = {}, ...rest } = parts
  const time = fakeClock()
  const told: EventBody[] = []
  const cancel = new AbortController()
  const spec = {
    agent: [],
    layers: [{ source: 'constraints', own: true, values: limits }],
    tightenOnly: true,
    cancel: cancel.signal,
    onLimit: () => {},
  }
  const budget = new AgentBudget(spec, { clock: time, totals: newTotals(time) })
  const emit = (event: EventBody) => void told.push(event)
  const context: AgentContext = {
    run: 'run-1',
    execution: '1',
    path: [],
    agent: makeAgent({}),
    input: null,
    budget,
    signal: budget.signal,
    clock: time,
    random: () => 0.5,
    options: {},
    governance: { policies: [] },
    inTurn: (_, work) => work(),
    emit,
    warn: (code, message) => emit({ type: 'warning', code, message }),
    ...rest,
  }
  return { context, time, told, cancel }
}
