import { describe, expect, test } from 'vitest'
import { renderSarif } from '../../src/results/sarif.ts'
import { manyResults, redacted, results, resultsWith, twoTargets } from '../results.ts'
import { sarifFaults } from '../sarif-faults.ts'

const log = JSON.parse(renderSarif(results))
const [run] = log.runs

describe('SARIF of results', () => {
  test('matches the golden file', async () => {
    await expect(renderSarif(results)).toMatchFileSnapshot('golden/results.sarif')
  })

  test('has the required properties of the standard and no unknown ones', () => {
    expect(sarifFaults(log)).toEqual([])
    expect(sarifFaults(JSON.parse(renderSarif(resultsWith([]))))).toEqual([])
    expect(sarifFaults(JSON.parse(renderSarif(manyResults('same', 3))))).toEqual([])
    expect(sarifFaults(JSON.parse(renderSarif(twoTargets)))).toEqual([])
  })

  test('has a rule with help for each attack, and a result unless it was resisted', () => {
    const rules: { id: string; help: { text: string } }[] = run.tool.driver.rules
    expect(rules.map(({ id }) => id)).toEqual(['JOUST-101', 'hostile.yaml', 'JOUST-3', 'fine.yaml', 'elsewhere.yaml'])
    expect(rules[0]?.help.text).toContain('Techniques: atlas AML.T0073 Impersonation')
    const told = run.results.map((one: { ruleId: string; kind: string; level: string }) => [
      one.ruleId,
      one.kind,
      one.level,
    ])
    expect(told).toEqual([
      ['JOUST-101', 'fail', 'error'],
      ['hostile.yaml', 'fail', 'note'],
      ['JOUST-3', 'open', 'none'],
      ['elsewhere.yaml', 'notApplicable', 'none'],
    ])
  })

  test('an inconclusive attack in which the agent matched is a warning', () => {
    const [target] = results.targets
    const [leak] = target?.attacks ?? []
    if (target === undefined || leak === undefined) throw new Error('no attack')
    const { tier: _, ...rest } = leak
    const attacks = [{ ...rest, outcome: 'inconclusive' as const, reasons: ['before it was sent the bait'] }]
    const text = renderSarif(redacted({ ...results, targets: [{ ...target, attacks }] }))
    expect(sarifFaults(JSON.parse(text))).toEqual([])
    const [found] = JSON.parse(text).runs[0].results
    expect([found.kind, found.level]).toEqual(['fail', 'warning'])
    expect(found.message.text).toContain('1234')
  })

  test('severity and confidence are those of the worst matched indicator, or of the attack', () => {
    const [target] = results.targets
    const [attack] = target?.attacks ?? []
    const indicator = { target: '', method: 'pattern' } as const
    const found = (changes: object, ...ids: string[]) => {
      const indicators = [
        { id: 'plain', ...indicator },
        { id: 'mild', ...indicator, severity: 'low', confidence: 20 },
        { id: 'grave', ...indicator, severity: 'critical', confidence: 90 },
      ]
      const verdicts = ids.map((indicator_id) => ({ indicator_id, result: 'matched' }))
      const one = {
        ...attack,
        attack: { ...attack?.attack, severity: 'medium', confidence: 60, indicators, ...changes },
        verdict: { ...attack?.verdict, indicator_verdicts: verdicts },
      }
      const text = renderSarif(
        redacted({
          ...results,
          targets: [{ ...target, attacks: [one] }] as unknown as typeof results.targets,
        }),
      )
      expect(sarifFaults(JSON.parse(text))).toEqual([])
      const [{ level, rank, properties }] = JSON.parse(text).runs[0].results
      return [level, rank, properties.severity, properties.confidence]
    }
    expect(found({}, 'plain')).toEqual(['warning', 60, 'medium', 60])
    expect(found({}, 'mild')).toEqual(['note', 20, 'low', 20])
    expect(found({}, 'mild', 'plain', 'grave')).toEqual(['error', 90, 'critical', 90])
    expect(found({})).toEqual(['warning', 60, 'medium', 60])
    expect(found({ severity: undefined, confidence: undefined })).toEqual(['error', undefined, undefined, undefined])
  })

  test('locations refer to the document', () => {
    expect(run.results[0].locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'library/a%20b/leak.oatf.yaml' }, region: { startLine: 42 } } },
    ])
    expect(run.results[2].locations[0].physicalLocation).not.toHaveProperty('region')
  })

  test('text of agents cannot become a link', () => {
    const { text } = run.results[1].message
    expect(text).toContain('\\[x\\](http://evil.example)')
    expect(renderSarif(results)).not.toMatch(/\\u(?:001b|0000|d800|202e)/)
  })

  test('duplicate ids get distinct rules', () => {
    const many = manyResults('a', 2)
    const same = (many.targets[0]?.attacks ?? []).map((one) => ({ ...one, attack: { ...one.attack, id: 'X-1' } }))
    const { rules } = JSON.parse(renderSarif(resultsWith(same))).runs[0].tool.driver
    expect(rules.map(({ id }: { id: string }) => id)).toEqual(['X-1', 'X-1 (2)'])
  })

  test('targets share their rules, and each result names its target', () => {
    const [both] = JSON.parse(renderSarif(twoTargets)).runs
    expect(both.tool.driver.rules).toHaveLength(5)
    const leaks = both.results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'JOUST-101')
    expect(leaks.map((one: { message: { text: string } }) => one.message.text.split(':')[0])).toEqual([
      'Leak on clerk',
      'Leak on deputy',
    ])
    const prints = leaks.map((one: { partialFingerprints: object }) => JSON.stringify(one.partialFingerprints))
    expect(new Set(prints).size).toBe(2)
  })

  test('the reason of an inconclusive attack is a notification', () => {
    const [first] = run.invocations[0].toolExecutionNotifications
    expect(first.message.text).toBe('No connection: inconclusive\nthe agent never came')
    expect(first.locations[0].physicalLocation.artifactLocation.uri).toBe('away.yaml')
  })

  test('the reason of a not applicable attack is a notification', () => {
    const [, second] = run.invocations[0].toolExecutionNotifications
    expect(second).toMatchObject({ level: 'note' })
    expect(second.message.text).toBe('Elsewhere: not_applicable\nthe target has no AG-UI interface')
  })

  test('the message names the sender, the surface and the match', () => {
    expect(run.results[0].message.text).toContain('agent → mail, tools/call, arguments.text: the key is 1234')
  })

  test('a suite without a verdict was not executed successfully', () => {
    const { stopped: _, ...complete } = results
    const without = (complete.targets[0]?.attacks ?? []).filter(({ outcome }) =>
      ['inconclusive', 'not_applicable'].includes(outcome),
    )
    const text = renderSarif({ ...resultsWith(without), stopped: undefined } as unknown as typeof results)
    const [{ executionSuccessful, toolExecutionNotifications }] = JSON.parse(text).runs[0].invocations
    expect(executionSuccessful).toBe(false)
    expect(toolExecutionNotifications).toHaveLength(3)
    expect(toolExecutionNotifications[2]).toMatchObject({
      level: 'error',
      message: { text: 'clerk: no attack has a verdict' },
    })
    expect(sarifFaults(JSON.parse(text))).toEqual([])
  })

  test('a stopped suite has a notification', () => {
    expect(run.invocations[0].toolExecutionNotifications[2].message.text).toBe('the budget of tokens is spent')
    expect(run.invocations[0].executionSuccessful).toBe(false)
    const { stopped: _, ...complete } = results
    expect(JSON.parse(renderSarif(redacted(complete))).runs[0].invocations[0].executionSuccessful).toBe(true)
  })
})

describe('the SARIF checker', () => {
  test.each([
    ['runs[0].results[0].mood', (copy: typeof log) => (copy.runs[0].results[0].mood = 1)],
    ['runs[0].results[0].message', (copy: typeof log) => delete copy.runs[0].results[0].message],
    ['runs[0].results[0].kind', (copy: typeof log) => (copy.runs[0].results[0].kind = 'bad')],
    ['runs[0].results[2].level', (copy: typeof log) => (copy.runs[0].results[2].level = 'error')],
    ['runs[0].results[0].ruleIndex', (copy: typeof log) => (copy.runs[0].results[0].ruleIndex = 1)],
    ['version', (copy: typeof log) => (copy.version = '2.0.0')],
  ])('sees %s', (path, change) => {
    const copy = structuredClone(log)
    change(copy)
    expect(sarifFaults(copy).map((fault) => fault.split(': ')[0])).toEqual([path])
  })
})

test('results are placed at the target, if its configuration is known, and rules say what to change', () => {
  const remediation = 'Confirm payments.'
  const targets = results.targets.map((target) => ({
    ...target,
    place: { file: 'joust.yaml', line: 7 },
    attacks: target.attacks.map((one) => ({ ...one, attack: { ...one.attack, remediation } })),
  }))
  const text = renderSarif(redacted({ ...results, targets }))
  expect(text).toContain('"uri": "joust.yaml"')
  expect(text).toContain('"startLine": 7')
  expect(text).toContain('What to change: Confirm payments.')
})
