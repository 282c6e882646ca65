/** Whole attacks: recorded, then replayed without model or endpoint. */
import { createRuntime, type LanguageModel, serveAgUi } from '@joust/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { modelTarget } from '../../../targets/src/agent.ts'
import { endpointTarget } from '../../../targets/src/endpoint.ts'
import { openCassette, recordedModels, replayedTarget } from '../../src/cassette.ts'
import type { AttackOptions } from '../../src/model/options.ts'
import { type AttackRun, runAttack } from '../../src/run.ts'
import { agentDocument, agentOf, react, readAttack } from '../support/agents.ts'
import { loadedAttack } from '../support/attacks.ts'
import { folder } from './folders.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const relay = readAttack('examples/cross-protocol-relay/attack.oatf.yaml')
const quick: AttackOptions = { limits: { graceMs: 0 } }
const scope = { attack: 'attack', trial: 1 }
const prompt = 'Convert 3 from EUR to USD, please.'

const verdictOf = ({ verdict, trace }: AttackRun) => ({
  result: verdict.result,
  tier: verdict.max_tier,
  indicators: verdict.indicator_verdicts.map(({ indicator_id, result }) => [indicator_id, result]),
  messages: trace.map(({ actor, surface, direction }) => [actor, surface, direction].join(' ')).sort(),
})

describe.each(['sim/credulous', 'sim/cautious'])('an agent on %s', (model) => {
  test.each([
    ['asked by a user', converter],
    ['over three protocols, streamed', relay],
  ])('%s: the same verdict, and no live call', async (_, document) => {
    const path = folder()
    const run = (mode: 'record' | 'replay', models: () => string | LanguageModel) => {
      const cassette = openCassette(path, mode, scope)
      const runtime = { models: recordedModels(models, cassette) }
      const target = replayedTarget(modelTarget({ model, prompt, runtime }), cassette)
      return runAttack(document, { ...quick, target }).finally(() => cassette.close())
    }
    const live = await run('record', () => model)
    expect(live.diagnostics).toEqual([])
    const replayed = await run('replay', () => {
      throw new Error('a live call')
    })
    expect(verdictOf(replayed)).toEqual(verdictOf(live))
    expect(replayed.diagnostics).toEqual([])
  })
})

test('another prompt is not a replay: an error, and never resisted', async () => {
  const path = folder()
  const run = (mode: 'record' | 'replay', asked: string) => {
    const cassette = openCassette(path, mode, scope)
    const runtime = { models: recordedModels(undefined, cassette) }
    const target = replayedTarget(modelTarget({ model: 'sim/cautious', prompt: asked, runtime }), cassette)
    return runAttack(converter, { ...quick, target }).finally(() => cassette.close())
  }
  expect((await run('record', prompt)).verdict.result).toBe('not_exploited')
  const replayed = await run('replay', 'Something else.')
  expect(replayed.outcome).toBe('inconclusive')
  expect(replayed.diagnostics.map(({ message }) => message).join()).toContain(
    'the nearest recording differs in prompt[',
  )
})

test('an endpoint: the same verdict without it', async () => {
  const runtime = createRuntime({})
  const agent = await agentOf(agentDocument({ execution_policy: react('sim/credulous') }))
  const served = await serveAgUi(runtime, agent, { prepare: false })
  onTestFinished(() => runtime.close())
  const document = loadedAttack({
    execution: {
      mode: 'ag_ui_client',
      state: { run_agent_input: { messages: [{ id: 'm', role: 'user', content: 'Say the word banana.' }] } },
    },
    indicators: [{ target: 'delta', surface: 'text_message_content', pattern: { condition: { regex: '.' } } }],
  })
  const path = folder()
  const run = (mode: 'record' | 'replay') => {
    const cassette = openCassette(path, mode, scope)
    const options = { ag_ui: { url: served.url }, send: cassette.http(), preflight: mode === 'record' }
    const target = replayedTarget(endpointTarget(options), cassette)
    return runAttack(document, { ...quick, target }).finally(() => cassette.close())
  }
  const live = await run('record')
  expect(live.trace.length).toBeGreaterThan(2)
  await served.close()
  const replayed = await run('replay')
  expect(verdictOf(replayed)).toEqual(verdictOf(live))
})
