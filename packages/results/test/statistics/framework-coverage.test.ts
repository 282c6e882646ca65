import { expect, test } from 'vitest'
import { isTechnique, techniqueKey } from '../../src/frameworks/framework.ts'
import { frameworkName, frameworks } from '../../src/frameworks/table.ts'
import type { Exposure } from '../../src/model/outcome.ts'
import { frameworkCoverage } from '../../src/statistics/framework-coverage.ts'
import { attackOf } from '../support/results.ts'

const exposed = (...states: ('delivered' | 'read')[]): Exposure => ({
  planted: ['bait'],
  bait: ['bait'],
  delivered: states.length > 0 ? ['bait'] : [],
  read: states.includes('read') ? ['bait'] : [],
})

function attackWith(id: string, letter: string, exposure: Exposure) {
  const one = attackOf(id, letter, { mappings: [{ framework: 'owasp_agentic', id }] })
  return { ...one, exposure, trials: one.trials.map((trial) => ({ ...trial, exposure })) }
}

test('read, tried, not tried, cannot be tried', () => {
  const [agentic] = frameworkCoverage(
    [
      attackWith('ASI-01', 'n', exposed('delivered', 'read')),
      attackWith('ASI02', 'e', exposed('delivered')),
      attackWith('ASI03', '?', exposed()),
      attackWith('ASI04', '-', exposed()),
    ],
    [{ file: 'a.oatf.yaml', mappings: [{ framework: 'owasp_agentic', id: 'ASI-05' }] }],
  )
  const states = agentic?.techniques.map(({ id, state, reason }) => [id, state, reason])
  expect(states?.slice(0, 6)).toEqual([
    ['ASI01', 'read', undefined],
    ['ASI02', 'tried', undefined],
    ['ASI03', 'not_tried', 'no attack reached the agent'],
    ['ASI04', 'cannot_be_tried', 'no attack in the suite applies to this target'],
    ['ASI05', 'not_tried', 'the library has 1 attack for this technique'],
    ['ASI06', 'not_tried', 'the library has no attack for this technique'],
  ])
  expect(agentic?.counts).toEqual({ read: 1, tried: 1, not_tried: 7, cannot_be_tried: 1 })
})

test('a technique includes its sub-techniques; one before the contact cannot be tried', () => {
  const one = attackOf('a', 'e', { mappings: [{ framework: 'atlas', id: 'AML.T0051.002' }] })
  const run = { ...one, exposure: exposed('delivered') }
  const atlas = frameworkCoverage([run]).find(({ framework }) => framework === 'atlas')
  const stateOf = (id: string) => atlas?.techniques.find((technique) => technique.id === id)?.state
  expect(['AML.T0051', 'AML.T0051.000', 'AML.T0051.002', 'AML.T0000'].map(stateOf)).toEqual([
    'tried',
    'not_tried',
    'tried',
    'cannot_be_tried',
  ])
})

test('spellings of ids and names', () => {
  expect(['ASI-07', 'asi7', 'ASI07:2026', 'MCP-10', 'aml.t0051.001'].map(techniqueKey)).toEqual([
    'ASI07',
    'ASI07',
    'ASI07',
    'MCP10',
    'AML.T0051.001',
  ])
  expect(isTechnique('AML.T00510', 'AML.T0051')).toBe(false)
  expect(['owasp-asi', 'mitre-atlas', 'CWE'].map(frameworkName)).toEqual(['owasp_agentic', 'atlas', 'cwe'])
})

test('the frameworks have no id twice, and ATLAS its 101 techniques with 69 sub-techniques', () => {
  for (const { rows } of frameworks) expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length)
  const atlas = frameworks.find(({ name }) => name === 'atlas')?.rows ?? []
  const parts = atlas.filter(([id]) => /^AML\.T\d{4}\.\d{3}$/.test(id))
  expect([atlas.length - parts.length, parts.length]).toEqual([101, 69])
})
