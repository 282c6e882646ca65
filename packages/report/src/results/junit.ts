/** Results as JUnit XML, which every CI can show. */
import { type AttackResults, type Results, resultsWorstFirst, summaryOf } from '@joust/arena'
import { evidenceLines, headline } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { type XmlElement, xmlDocument } from '../syntax/xml.ts'

/** A suite for each category, a case for each attack: failed when it went through, if only in part. */
export function renderJunit(results: ReportInput): string {
  const { attacks } = results
  const categories = [...new Set(attacks.map(({ attack }) => attack.category))].sort()
  return xmlDocument({
    name: 'testsuites',
    attributes: { name: 'joust', ...totals(attacks), timestamp: results.started_at },
    children: categories.map((category) => suite(category, results)),
  })
}

function suite(category: string | undefined, { attacks, target, started_at, joust }: Results): XmlElement {
  const members = attacks
    .filter(({ attack }) => attack.category === category)
    .sort((a, b) => resultsWorstFirst.indexOf(a.verdict.result) - resultsWorstFirst.indexOf(b.verdict.result))
  const properties = { joust, 'target.kind': target.kind, 'target.name': target.name, ...target.details }
  return {
    name: 'testsuite',
    attributes: { name: category ?? 'uncategorized', ...totals(members), skipped: 0, timestamp: started_at },
    children: [
      {
        name: 'properties',
        children: Object.entries(properties).map(([name, value]) => ({
          name: 'property',
          attributes: { name, value },
        })),
      },
      ...members.map(testCase),
    ],
  }
}

function totals(attacks: readonly AttackResults[]): NonNullable<XmlElement['attributes']> {
  const { exploited, partial, error, total } = summaryOf({ attacks }).attacks
  const milliseconds = attacks.reduce((sum, attack) => sum + durationOf(attack), 0)
  return { tests: total, failures: exploited + partial, errors: error, time: seconds(milliseconds) }
}

function testCase(results: AttackResults): XmlElement {
  const { attack, file, verdict } = results
  const name = attack.id === undefined ? attack.name : `${attack.id} ${attack.name}`
  const attributes = { name, classname: file, file, time: seconds(durationOf(results)) }
  if (verdict.result === 'not_exploited') return { name: 'testcase', attributes }
  const told = {
    name: verdict.result === 'error' ? 'error' : 'failure',
    attributes: { message: headline(results), type: verdict.max_tier ?? verdict.result },
    children: [[...evidenceLines(results), ...results.trials.map(({ trace }) => `trace: ${trace}`)].join('\n')],
  }
  return { name: 'testcase', attributes, children: [told] }
}

function durationOf({ trials }: AttackResults): number {
  return trials.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
