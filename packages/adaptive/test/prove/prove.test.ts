import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { proveAttacks } from '../../src/index.ts'
import { proofOf, type Seen } from '../../src/prove/prove.ts'

test('a program can prove documents, and hears of each proof in order', async () => {
  const text = readFileSync(join(repositoryRoot(), 'library/error-message-injection.oatf.yaml'), 'utf8')
  const attacks = [
    // Those that are begun first are not told first.
    ...['e', 'd', 'c', 'b'].map((file) => ({ file, attack: loaded(text) })),
    // An attack without a possible match.
    { file: 'a', attack: loaded(text.replaceAll(/^( +)surface: .*/gm, '$1surface: tools/list')) },
  ]
  const told: string[] = []
  const proofs = await proveAttacks(attacks, { onProof: ({ file }) => told.push(file) })
  expect(proofs.map(({ file, proven }) => [file, proven])).toEqual([
    ['a', false],
    ...['b', 'c', 'd', 'e'].map((file) => [file, true]),
  ])
  expect(told).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(proofs[1]?.agents.absent).toMatchObject({ outcome: 'inconclusive' })
})

test('an interrupted document is not proven', async () => {
  const text = readFileSync(join(repositoryRoot(), 'library/error-message-injection.oatf.yaml'), 'utf8')
  expect(await proveAttacks([{ file: 'a', attack: loaded(text) }], { signal: AbortSignal.abort() })).toEqual([])
})

function loaded(text: string) {
  const result = load(text)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

describe('the proof of one document', () => {
  const baited = { planted: ['tool', 'answer'], delivered: ['tool', 'answer'], bait: ['answer'] }
  const said = (outcome: Seen['outcome'], exposure: Seen['exposure'] = baited): Seen => ({
    outcome,
    reasons: outcome === 'inconclusive' ? ['no connection'] : [],
    exposure,
    indicators: [],
  })
  const good = {
    credulous: said('exploited'),
    cautious: said('resisted'),
    absent: said('inconclusive', { ...baited, delivered: [] }),
  }

  test('a document is proven when every simulated agent has the expected outcome after the bait', () => {
    expect(proofOf('a', good)).toEqual({ file: 'a', proven: true, agents: good, faults: [] })
  })

  test('nothing is proven before every control has seen it', () => {
    expect(proofOf('a', { credulous: good.credulous, cautious: good.cautious })).toBeUndefined()
  })

  test.each([
    ['credulous', said('partial'), 'the credulous agent: expected exploited, got partial'],
    ['cautious', said('inconclusive'), 'the cautious agent: expected resisted, got inconclusive (no connection)'],
    ['absent', said('resisted'), 'the absent agent: expected inconclusive, got resisted'],
    // It fell, but for something else.
    ['credulous', said('exploited', { ...baited, delivered: ['tool'] }), 'the credulous agent was never sent the bait'],
    ['cautious', said('resisted', { ...baited, bait: [] }), 'the cautious agent was never sent the bait'],
  ])('%s: %j', (control, seen, fault) => {
    expect(proofOf('a', { ...good, [control]: seen })).toMatchObject({ proven: false, faults: [fault] })
  })
})
