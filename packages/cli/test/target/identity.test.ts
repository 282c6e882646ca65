import { expect, test } from 'vitest'
import { optionName } from '../../src/options/option.ts'
import { defaultsOf } from '../../src/options/read.ts'
import { type RunOptions, runOptions } from '../../src/options/run.ts'
import type { ChosenTarget } from '../../src/project/choose.ts'
import { targetIdentity } from '../../src/target/identity.ts'
import type { Io } from '../../src/terminal/io.ts'
import { folder } from '../world.ts'

const SECRET = 'sk-0123456789abcdef'

/** A value for every option that matters; the compiler cannot know which those are, but the first test checks it. */
const base = {
  target: { mcp: SECRET },
  exec: SECRET,
  acp: SECRET,
  execNext: SECRET,
  prompt: SECRET,
  token: SECRET,
  header: { authorization: SECRET },
  gateway: { port: 1 },
  gatewayHeader: 'x-run',
  wire: { a: 'b' },
  bind: { a: 'b' },
  execModel: 'm',
  jsonLines: true,
  answerPath: 'a',
  carries: ['history'],
  paste: ['history'],
  passEnv: ['A'],
  useHome: true,
  modelEnv: ['OPENAI_BASE_URL'],
  modelUpstream: 'http://127.0.0.1:1/v1',
  modelListen: { port: 1 },
  noModelProxy: true,
  withModel: 'sim/credulous',
  ownTools: true,
  inProcess: true,
  approve: 'all',
  mcpStdio: true,
  mcpVersion: '2025-06-18',
  allowHost: ['b', 'a'],
  channels: ['state'],
  observe: 2000,
  grace: 500,
  replay: 'tapes',
  judge: 'sim/judge',
  attacker: 'sim/attacker',
  script: 'script.yaml',
  through: 'mcp.json',
  allowCall: ['orders/close'],
  answers: 'session.yaml',
} satisfies Partial<RunOptions>

function factsOf(options: object): Promise<Record<string, string>> {
  const cwd = folder({})
  // Only the fields that are read.
  const target = { kind: 'model', options: { ...defaultsOf(runOptions), ...options }, home: cwd } as ChosenTarget
  return targetIdentity(target, { about: { kind: 'model', name: 'm' } }, { cwd } as Io)
}

test('every option that changes an outcome is a fact, and no other is', () => {
  const matters = Object.entries(runOptions).filter(([, { identity }]) => identity !== 'none')
  expect(matters.map(([key]) => key).sort()).toEqual([...Object.keys(base), 'maxDuration'].sort())
})

test.each(Object.entries(base))('%s tells results apart', async (key, value) => {
  const without = await factsOf({})
  const facts = await factsOf({ [key]: value })
  expect(facts).not.toEqual(without)
  expect({ ...facts, [optionName(key)]: undefined }).toEqual({ ...without, [optionName(key)]: undefined })
  expect(JSON.stringify(facts)).not.toContain(SECRET)
})

test('facts are texts that a user would write', async () => {
  expect(await factsOf({ allowHost: ['b', 'a'], observe: 2000, header: { b: '1', a: '2' }, bind: { x: 'y' } })).toEqual(
    {
      target: 'model m',
      '--approve': 'none',
      '--allow-host': 'a, b',
      '--observe': '2s',
      '--header': 'a, b',
      '--bind': 'x=y',
    },
  )
})

test('the longest time of a run matters where only listeners end it', async () => {
  expect(await factsOf({ maxDuration: 90_000 })).not.toHaveProperty('--max-duration')
  const listening = { maxDuration: 90_000, listen: { server: { port: 1 } } }
  expect(await factsOf(listening)).toHaveProperty('--max-duration', '90s')
})
