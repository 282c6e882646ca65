/**
 * Documents in the dialects of public collections, against four agents. They were written before the simulated models were
 * last changed, which fall for all of them; see unseen.test.ts for documents that the models were never adapted to.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { type LoadedAttack, load } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { modelTarget } from '../src/agent.ts'
import type { RunOptions } from '../src/model/options.ts'
import { runAttack } from '../src/run.ts'
import { endpointTarget } from '../src/targets/endpoint.ts'

const folder = new URL('wild/', import.meta.url)
const limits = { graceMs: 0, observeMs: 0 }
const model = (name: string): RunOptions => ({ limits, target: modelTarget({ model: name, inProcess: true }) })
const closed = { url: 'http://127.0.0.1:9/' }

const agents: Readonly<Record<string, RunOptions>> = {
  credulous: model('sim/credulous'),
  cautious: model('sim/cautious'),
  silent: model('sim/silent'),
  absent: {
    limits: { ...limits, phaseMs: 300, runMs: 3000, retries: 0 },
    target: endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed }),
  },
}

const E = 'exploited'
const R = 'resisted'
const I = 'inconclusive'

/** In the order of `agents`. */
const outcomes: Readonly<Record<string, readonly [string, string, string, string]>> = {
  '001-beehive-token': [E, I, I, I],
  '002-parcel-copy': [E, R, R, I],
  '003-glacier-error': [E, R, I, I],
  '004-opera-hijack': [E, R, I, I],
  '005-pharmacy-policy': [E, I, I, I],
  '006-radio-history': [E, R, I, I],
  '007-quarry-argument': [E, I, I, I],
  '008-florist-agents': [E, R, R, I],
  '009-tax-card': [E, R, R, I],
  '010-survey-artifact': [E, R, I, I],
  '011-camping-resource': [E, R, I, I],
  '012-knitting-prompt': [E, R, I, I],
  '013-tram-state': [E, R, I, I],
  '014-zoo-context': [E, I, I, I],
  '015-mill-enumeration': [E, R, I, I],
  '016-bank-agent-loop': [E, R, I, I],
  '017-recipe-memory': [E, R, I, I],
  '018-telescope-ansi': [E, I, I, I],
  '019-union-json': [E, R, I, I],
  '020-product-sum': [E, R, I, I],
}

const files = readdirSync(folder)

test('every document has its row', () => {
  expect(files.map((file) => file.replace('.yaml', '')).sort()).toEqual(Object.keys(outcomes))
})

describe.each(Object.entries(agents).map(([agent, options], column) => ({ agent, options, column })))(
  '$agent',
  ({ options, column }) => {
    test.concurrent.each(files)('%s', async (file) => {
      const run = await runAttack(loaded(file), options)
      expect(run.outcome, run.reasons.join('; ')).toBe(outcomes[file.replace('.yaml', '')]?.[column])
    })
  },
)

function loaded(file: string): LoadedAttack {
  const attack = load(readFileSync(new URL(file, folder), 'utf8'))
  if (!attack.ok) throw new Error(`${file} is not valid`)
  return attack.value
}
