import { describe, expect, test } from 'vitest'
import { renderFindingsSarif } from '../../src/findings/sarif.ts'
import { sarifFaults } from '../sarif-faults.ts'
import { files } from './files.ts'

const options = { version: '1.2.3', summaries: new Map([['syntax', 'Not even text.']]) }
const log = JSON.parse(renderFindingsSarif(files, options))
const [run] = log.runs

describe('SARIF 2.1.0', () => {
  test('what the standard requires of a log and a run', () => {
    expect(sarifFaults(log)).toEqual([])
    expect(run.tool.driver).toMatchObject({ name: 'joust', version: '1.2.3' })
    expect(run.columnKind).toBe('utf16CodeUnits')
  })

  test('every result points at its rule', () => {
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

  test('the same findings give the same text', () => {
    expect(renderFindingsSarif(files, options)).toBe(renderFindingsSarif(files, options))
    expect(renderFindingsSarif([], options)).toContain('"results": []')
  })
})
