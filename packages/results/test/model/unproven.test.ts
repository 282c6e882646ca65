import { expect, test } from 'vitest'
import { attackAssessment, joinResults, namingFile, provenByTrials, type Trial, UNPROVEN } from '../../src/index.ts'
import { redacted } from '../support/redacted.ts'
import { attackOf, resultsOf, targetOf, trial } from '../support/results.ts'

const reasons = namingFile([UNPROVEN], 'a.oatf.yaml')
const unproven = (number: number, changes: Partial<Trial> = {}) =>
  trial(number, 'inconclusive', { reasons, controls: { proven: 'no' }, ...changes })

test('the reason names the command that shows why', () => {
  expect(reasons[0]).toMatch(/was not exploited; `joust prove a\.oatf\.yaml` shows why$/)
  expect(namingFile([UNPROVEN], "it's.yaml")[0]).toContain("`joust prove 'it'\\''s.yaml'`")
  expect(namingFile([UNPROVEN], 'a.oatf.yaml#base64')[0]).toContain('`joust prove` for this mutant')
  expect(namingFile(['joust prove FILE'], 'a')).toEqual(['joust prove FILE'])
})

test('a trial that exploits the agent proves the others', () => {
  const other = trial(4, 'inconclusive', { controls: { proven: 'no' } })
  const trials = [unproven(1), trial(2, 'exploited'), unproven(3, { reasons: [...reasons, 'more'] }), other]
  const [first, ...rest] = provenByTrials(trials.map(redacted))
  expect(first).toMatchObject({ outcome: 'resisted', reasons: [], controls: { proven: 'results' } })
  expect(rest).toEqual(trials.slice(1))
  expect(provenByTrials([redacted(unproven(1))])).toEqual([unproven(1)])
})

test('an attack that exploits one target is proven for the others', () => {
  const [mine, others] = [
    [unproven(1), trial(2, 'resisted')],
    [unproven(1), unproven(2)],
  ]
  const doubtful = { ...attackOf('a', ''), trials: mine, ...attackAssessment(mine) }
  const unrelated = { ...attackOf('b', ''), trials: others, ...attackAssessment(others) }
  const joined = joinResults([
    { results: resultsOf([doubtful, unrelated]), under: '' },
    { results: resultsOf([], { targets: [targetOf([attackOf('a', 'en'), attackOf('b', 'p')])] }), under: '' },
  ])
  const [first, second] = joined.targets[0]?.attacks ?? []
  expect(first).toMatchObject({ outcome: 'resisted', reasons: [], controls: { proven: 'results' } })
  expect(first?.trials.map(({ outcome }) => outcome)).toEqual(['resisted', 'resisted'])
  expect(second).toEqual(unrelated)
})
