/** Preparing is part of the run: limits, timeouts and cancellation hold for it. */
import { describe, expect, it } from 'vitest'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { type AgentParts, leaf } from '../support/agents.ts'
import { fakeClock } from '../support/clock.ts'
import { react } from '../support/react.ts'
import { errorOf, run } from '../support/run.ts'

const never = (began: () => void) => {
  began()
  return new Promise<never>(() => {})
}
const governed: AgentParts = { constraints: { governance_policies: [{ policy_ref: 'org.a' }] } }
const servers = { action_space: { mcp_servers: [{ alias: 'files' }] } }
const simulated = react('sim/silent', servers)

/** Everything that preparing waits for, started by the last thing before it hangs. */
const hanging: [string, (began: () => void) => [ReturnType<typeof leaf>, RuntimeOptions]][] = [
  ['a policy', (began) => [leaf(() => 1, governed), { governance: { resolve: () => never(began) } }]],
  [
    'the implicit policies',
    (began) => [leaf(() => 1), { governance: { resolve: () => undefined, implicit: () => never(began) } }],
  ],
  ['a model', (began) => [react('m'), { models: () => never(began) }]],
  ['a server', (began) => [simulated, { mcpServers: { files: { connect: () => never(began) } } }]],
]

describe.each(hanging)('waiting for %s', (_, make) => {
  it('ends with the deadline of the host', async () => {
    const time = fakeClock()
    const [agent, options] = make(() => queueMicrotask(() => time.advance(2000)))
    const { error, events } = await run(agent, 'go', { clock: time, ...options, limits: { max_duration_seconds: 2 } })
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      agent: [],
      details: { limit: 'host.budget.max_duration_seconds', max: 2, used: 2 },
    })
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'limit-reached', 'run-failed'])
    expect(time.waiting()).toBe(0)
  })

  it('ends when the run is cancelled', async () => {
    const cancel = new AbortController()
    const [agent, options] = make(() => queueMicrotask(() => cancel.abort()))
    const { error, events } = await run(agent, 'go', options, { signal: cancel.signal })
    expect(error?.code).toBe('cancelled')
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'run-failed'])
  })

  it('ends with its own timeout', async () => {
    const time = fakeClock()
    const [agent, options] = make(() => queueMicrotask(() => time.advance(3000)))
    const error = await errorOf(agent, 'go', { clock: time, ...options, timeouts: { connectMs: 3000 } })
    expect(error.message).toContain('no answer within 3 seconds')
    expect(time.waiting()).toBe(0)
  })
})

describe('the time of preparing', () => {
  const slow = (time: ReturnType<typeof fakeClock>, milliseconds: number) => ({
    resolve(id: string) {
      time.advance(milliseconds)
      return { id, budget: { max_duration_seconds: 3 } }
    },
  })

  it("counts against the document's deadline", async () => {
    const time = fakeClock()
    const agent = leaf(() => 1, { constraints: { ...governed.constraints, budget: { max_duration_seconds: 2 } } })
    const error = await errorOf(agent, null, { clock: time, governance: slow(time, 2000) })
    expect(error.details).toMatchObject({ limit: 'constraints.budget.max_duration_seconds' })
  })

  it('leaves the rest to the agent, also of a deadline that a policy sets', async () => {
    const time = fakeClock()
    const agent = leaf(({ signal }) => {
      queueMicrotask(() => time.advance(1000))
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }, governed)
    const error = await errorOf(agent, null, { clock: time, governance: slow(time, 2000) })
    expect(error.details).toMatchObject({ limit: 'governance.org.a.budget.max_duration_seconds', used: 3 })
  })
})
