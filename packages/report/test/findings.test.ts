import { describe, expect, test } from 'vitest'
import { renderFindingsGithub, renderFindingsSarif } from '../src/findings.ts'
import { files } from './file-findings.ts'
import { sarifFaults } from './sarif-faults.ts'

describe('annotations of GitHub Actions', () => {
  test('one command per finding, with escaped properties and text', () => {
    expect(renderFindingsGithub(files).split('\n')).toEqual([
      '::error file=a b/ä%2Cx%3Ay%25.yaml,line=1,col=7,endColumn=12,title=V-005::100%25 "wrong",%0Areally',
      '::warning file=a b/ä%2Cx%3Ay%25.yaml,line=1,col=1,title=W-001::hm',
      '::error file=a b/ä%2Cx%3Ay%25.yaml,title=syntax::no place',
      '::notice file=b.agf.yaml,title=not checked::not checked',
      '',
    ])
  })

  test('a file name cannot start another command', () => {
    const name = 'x\n::set-output name=a::b'
    const [line, ...rest] = renderFindingsGithub([{ name, diagnostics: [], note: 'n' }]).split('\n')
    expect(line).toBe('::notice file=x%0A%3A%3Aset-output name=a%3A%3Ab,title=not checked::n')
    expect(rest).toEqual([''])
  })
})

const options = { version: '1.2.3', summaries: new Map([['syntax', 'Not even text.']]) }
const log = JSON.parse(renderFindingsSarif(files, options))
const [run] = log.runs

describe('SARIF 2.1.0', () => {
  test('log and run have the required properties', () => {
    expect(sarifFaults(log)).toEqual([])
    expect(run.tool.driver).toMatchObject({ name: 'joust', version: '1.2.3' })
    expect(run.columnKind).toBe('utf16CodeUnits')
  })

  test('every result refers to its rule', () => {
    expect(run.results).toHaveLength(3)
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      expect(['error', 'warning']).toContain(result.level)
      expect(typeof result.message.text).toBe('string')
    }
  })

  test('rules are sorted and carry help from the table', () => {
    const rules: { id: string; shortDescription: { text: string }; help?: { text: string } }[] = run.tool.driver.rules
    expect(rules.map((rule) => rule.id)).toEqual(['V-005', 'W-001', 'syntax'])
    expect(rules[0]?.help?.text).toContain('§11.1.5')
    expect(rules[0]?.help?.text).toMatch(/Good:[\s\S]*Bad \(at /)
    for (const rule of rules) expect(rule.shortDescription.text).toMatch(/\.$/)
    expect(rules[2]?.shortDescription.text).toBe('Not even text.')
    const [, , unknown] = JSON.parse(renderFindingsSarif(files, { ...options, summaries: new Map() })).runs[0].tool
      .driver.rules
    expect(unknown.shortDescription.text).toBe('syntax')
  })

  test('regions and relative URIs', () => {
    const [first, second, third] = run.results
    expect(first.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20b/%C3%A4%2Cx%3Ay%25.yaml' },
      region: { startLine: 1, startColumn: 7, endColumn: 12 },
    })
    expect(first.locations[0].logicalLocations).toEqual([{ fullyQualifiedName: 'attack.status' }])
    expect(second.locations[0].physicalLocation.region).toEqual({ startLine: 1, startColumn: 1 })
    expect(third.locations[0].physicalLocation).not.toHaveProperty('region')
  })

  test('a file name that is not Unicode text', () => {
    const name = 'a\ud800.yaml'
    expect(renderFindingsSarif([{ name, diagnostics: [], note: 'n' }], options)).toContain('a%EF%BF%BD.yaml')
  })

  test('files that were not checked are notifications', () => {
    expect(run.invocations[0].executionSuccessful).toBe(true)
    expect(run.invocations[0].toolExecutionNotifications).toMatchObject([
      { level: 'note', message: { text: 'not checked' } },
    ])
  })

  test('the output is deterministic', () => {
    expect(renderFindingsSarif(files, options)).toBe(renderFindingsSarif(files, options))
    expect(renderFindingsSarif([], options)).toContain('"results": []')
  })
})
