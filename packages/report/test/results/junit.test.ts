import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderJunit } from '../../src/results/junit.ts'
import { readXml, type XmlNode } from '../read-xml.ts'
import { HOSTILE, manyResults, redacted, results, twoTargets } from '../results.ts'

const root = readXml(renderJunit(results))
const cases = root.children.flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'))
const outcome = ({ attributes, children }: XmlNode) => `${attributes.classname}: ${children.map(({ name }) => name)}`

describe('JUnit', () => {
  test('matches the golden file', async () => {
    await expect(renderJunit(results)).toMatchFileSnapshot('golden/junit.xml')
  })

  test('has a suite for each category and a case for each attack, worst first', () => {
    expect(root.children.map(({ attributes }) => attributes.name)).toEqual(['capability_poisoning', 'uncategorized'])
    expect(cases.map(outcome)).toEqual([
      'library/a b/leak.oatf.yaml: failure',
      'away.yaml: error',
      'hostile.yaml: failure',
      'fine.yaml: ',
      'elsewhere.yaml: skipped',
    ])
  })

  test('an inconclusive attack in which the agent matched is an error with evidence, and comes first', () => {
    const [target] = results.targets
    const [leak, ...others] = target?.attacks ?? []
    if (target === undefined || leak === undefined) throw new Error('no attack')
    const suspicious = { ...leak, file: 'early.yaml', outcome: 'inconclusive' as const, reasons: ['too early'] }
    const attacks = [leak, ...others, suspicious].map((one) => ({
      ...one,
      attack: { ...one.attack, category: leak.attack.category ?? 'oversight_bypass' },
    }))
    const found = readXml(renderJunit(redacted({ ...results, targets: [{ ...target, attacks }] })))
    const [first] = found.children.flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'))
    expect(first && outcome(first)).toBe('early.yaml: error')
    expect(JSON.stringify(first)).toContain('1234')
  })

  test('the counts match the cases', () => {
    for (const suite of [root, ...root.children]) {
      const below = suite === root ? cases : suite.children.filter(({ name }) => name === 'testcase')
      const having = (name: string) => below.filter((one) => one.children.some((child) => child.name === name)).length
      expect(suite.attributes).toMatchObject({
        tests: String(below.length),
        failures: String(having('failure')),
        errors: String(having('error')),
        skipped: String(having('skipped')),
      })
      const time = below.reduce((sum, one) => sum + Number(one.attributes.time), 0)
      expect(Number(suite.attributes.time)).toBeCloseTo(time, 3)
    }
  })

  test('every target has its own suites', () => {
    const suites = readXml(renderJunit(twoTargets)).children
    expect(suites.map(({ attributes }) => attributes.name)).toEqual([
      'clerk: capability_poisoning',
      'clerk: uncategorized',
      'deputy: capability_poisoning',
      'deputy: uncategorized',
    ])
  })

  test('hostile text stays text', () => {
    const name = cases[2]?.attributes.name ?? ''
    expect(name).toContain('<script>alert(1)</script> & "b" \u241b[31mred')
    expect(name).toContain(']]> |')
    expect(name).toContain('::error::\n\u2400\ufffd\ufffd\ufffd end')
    expect(name.length).toBe(HOSTILE.length)
  })

  test('any text gives well-formed XML', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [suite] = readXml(renderJunit(manyResults(text, 1))).children
        expect(suite?.children.at(-1)?.children[0]?.name).toBe('failure')
      }),
    )
  })
})
