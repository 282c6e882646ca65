import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEventFile } from '../../src/events/jsonl.ts'
import { leaf, makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { outputOf, run } from '../support/run.ts'

const tools = { look: { call: () => 'seen' } }
const agent = () =>
  makeAgent({
    policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }] } },
    agents: { a: react('m', { action_space: { local_tools: [{ alias: 'look' }] } }) },
  })
const models = () => scripts({ m: [{ tool_calls: [{ name: 'look' }] }, { text: 'done' }] })

describe('events', () => {
  it('cover the whole run in order', async () => {
    const { events } = await run(agent(), 'go', { models: models(), tools })
    expect(events.map(({ type, agent: path }) => `${path.join('.')} ${type}`)).toEqual([
      ' run-started',
      ' agent-started',
      ' step-started',
      ' delegation-started',
      'a agent-started',
      'a step-started',
      'a model-called',
      'a model-answered',
      'a tool-called',
      'a tool-answered',
      'a step-finished',
      'a step-started',
      'a model-called',
      'a model-answered',
      'a step-finished',
      'a agent-finished',
      ' delegation-finished',
      ' step-finished',
      ' agent-finished',
      ' run-finished',
    ])
    expect(new Set(events.map((event) => event.run)).size).toBe(1)
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no')) as never],
  ])('a listener that %s does not break the run', async (_, onEvent) => {
    expect(
      await outputOf(
        leaf(() => 1),
        null,
        { onEvent },
        { onEvent },
      ),
    ).toBe(1)
    await new Promise(setImmediate)
  })

  it('end with the run, and no work can be started after it', async () => {
    let later: (() => Promise<unknown>) | undefined
    const root = makeAgent({
      policy: { id: 'x-test.runaway', config: {} },
      agents: { a: leaf(() => 1) },
    })
    const policies = {
      'x-test.runaway': async ({ delegate }: { delegate: (alias: string, input: null) => Promise<unknown> }) => {
        later = () => delegate('a', null)
        return 'done'
      },
    }
    const { events } = await run(root, null, { policies })
    const count = events.length
    await expect(later?.()).rejects.toMatchObject({ error: { code: 'cancelled' } })
    expect(events).toHaveLength(count)
  })

  it('in a file: one line each, after the version', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'events-'))
    try {
      const file = openEventFile(join(folder, 'run.jsonl'))
      const { events } = await run(agent(), 'go', { models: models(), tools, onEvent: file.onEvent })
      file.close()
      file.close()
      file.onEvent(events[0] as never)
      const lines = readFileSync(join(folder, 'run.jsonl'), 'utf8').trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual([{ joust_events: 1 }, ...events])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
