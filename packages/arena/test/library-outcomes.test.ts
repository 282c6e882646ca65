/** The library against seven agents: the outcomes are those worked out from the documents. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type LoadedAttack, load, roleOf } from '@joust/oatf'
import { scriptedModel } from '@joust/sim'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../io/test/loopback.ts'
import { modelTarget } from '../../targets/src/agent.ts'
import { endpointTarget } from '../../targets/src/endpoint.ts'
import type { AttackOptions } from '../src/model/options.ts'
import type { Target } from '../src/model/target.ts'
import { runAttack } from '../src/run.ts'
import { agents, libraryOutcomes } from './library-outcomes.ts'

const library = new URL('../../../library/', import.meta.url)
const limits = { graceMs: 0, observeMs: 0 }

let html: Server
let address = ''
beforeAll(async () => {
  html = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Welcome</title>')
  })
  address = `${await listen(html)}/v1`
})
afterAll(() => void html.close())

/** How each agent is played. */
const played: { readonly [agent in (typeof agents)[number]]: (attack: LoadedAttack) => AttackOptions } = {
  'never-lists': () => ({ limits, target: withoutServers(modelTarget({ model: 'sim/silent', inProcess: true })) }),
  'lists-only': () => ({ limits, target: modelTarget({ model: 'sim/silent', inProcess: true }) }),
  'does-nothing': () => ({ limits, target: modelTarget({ model: 'sim/cautious', inProcess: true }) }),
  'broken-model': () => ({
    limits,
    target: modelTarget({
      model: 'openai-compatible/any',
      inProcess: true,
      runtime: { env: { OPENAI_COMPATIBLE_BASE_URL: address } },
    }),
  }),
  absent: withoutAgent,
  refuses: () => {
    const refusal = scriptedModel(Array.from({ length: 50 }, () => ({ text: 'I cannot help with that.' })))
    const models = { 'test/refuses': refusal }
    return { limits, target: modelTarget({ model: 'test/refuses', inProcess: true, runtime: { models } }) }
  },
  obeys: () => ({ limits, target: modelTarget({ model: 'sim/credulous', inProcess: true }) }),
}

/** The same agent, without connections. */
function withoutServers(target: Target): Target {
  return { ...target, start: (arena) => target.start({ ...arena, servers: [] }) }
}

function withoutAgent({ document }: LoadedAttack): AttackOptions {
  const closed = { url: 'http://127.0.0.1:9/' }
  const brief = { ...limits, phaseMs: 300, runMs: 3000, retries: 0 }
  if (!document.attack.execution.actors.some(({ mode }) => roleOf(mode) === 'client')) return { limits: brief }
  return { limits: brief, target: endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed }) }
}

const files = readdirSync(library).filter((name) => name.endsWith('.oatf.yaml'))

test('every document has its row', () => {
  expect(Object.keys(libraryOutcomes).sort()).toEqual(files.map((name) => name.replace('.oatf.yaml', '')).sort())
})

describe.each(agents.map((agent, column) => ({ agent, column })))('$agent', ({ agent, column }) => {
  test.concurrent.each(files)('%s', async (file) => {
    const loaded = load(readFileSync(new URL(file, library), 'utf8'))
    if (!loaded.ok) throw new Error(`${file} is not valid`)
    const run = await runAttack(loaded.value, played[agent](loaded.value))
    const expected = libraryOutcomes[file.replace('.oatf.yaml', '')]?.outcomes[column]
    expect(run.outcome, run.reasons.join('; ')).toBe(expected)
    if (run.outcome === 'inconclusive') expect(run.reasons.length).toBeGreaterThan(0)
  })
})
