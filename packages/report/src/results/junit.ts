/** Renders results as JUnit XML. */
import {
  type AttackResults,
  compareShown,
  controlNotes,
  type Outcome,
  summaryOf,
  type TargetResults,
} from '@joust/results'
import { evidenceLines, headline, titleOf } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { type XmlElement, xmlDocument } from '../syntax/xml.ts'

/** Child elements of a test case by outcome. A partial success is a failure. */
const elements: { readonly [outcome in Outcome]: string | undefined } = {
  exploited: 'failure',
  partial: 'failure',
  inconclusive: 'error',
  not_applicable: 'skipped',
  resisted: undefined,
}

/**
 * Renders a test suite for each category of each target, with a test case for each attack.
 *
 * @example
 * await writeFile('junit.xml', renderJunit(results))
 */
export function renderJunit(results: ReportInput): string {
  const { targets, started_at } = results
  return xmlDocument({
    name: 'testsuites',
    attributes: { name: 'joust', ...totals(targets.flatMap(({ attacks }) => attacks)), timestamp: started_at },
    children: targets.flatMap((target) => {
      const categories = [...new Set(target.attacks.map(({ attack }) => attack.category))].sort()
      return categories.map((category) => suite(category, target, results))
    }),
  })
}

function suite(
  category = 'uncategorized',
  target: TargetResults,
  { targets, started_at, joust }: ReportInput,
): XmlElement {
  const members = target.attacks
    .filter(({ attack }) => (attack.category ?? 'uncategorized') === category)
    .sort(compareShown)
  const properties = { joust, 'target.kind': target.kind, 'target.name': target.name, ...target.details }
  const name = targets.length > 1 ? `${target.name}: ${category}` : category
  return {
    name: 'testsuite',
    attributes: { name, ...totals(members), timestamp: started_at },
    children: [
      {
        name: 'properties',
        children: Object.entries(properties).map(([name, value]) => ({
          name: 'property',
          attributes: { name, value },
        })),
      },
      ...members.map((member) => testCase(member, target.kind)),
    ],
  }
}

function totals(attacks: readonly AttackResults[]): NonNullable<XmlElement['attributes']> {
  const { exploited, partial, inconclusive, not_applicable, total } = summaryOf({ attacks }).attacks
  const milliseconds = attacks.reduce((sum, attack) => sum + durationOf(attack), 0)
  return {
    tests: total,
    failures: exploited + partial,
    errors: inconclusive,
    skipped: not_applicable,
    time: seconds(milliseconds),
  }
}

function testCase(results: AttackResults, kind: TargetResults['kind']): XmlElement {
  const { file, outcome } = results
  const attributes = { name: titleOf(results), classname: file, file, time: seconds(durationOf(results)) }
  const element = elements[outcome]
  if (element === undefined) return { name: 'testcase', attributes, ...reservations(results) }
  const lines = [...evidenceLines(results, kind), ...results.trials.map(({ trace }) => `trace: ${trace}`)]
  const child = {
    name: element,
    // JUnit has no type for skipped cases.
    attributes: { message: headline(results), ...(element === 'skipped' ? {} : { type: results.tier ?? outcome }) },
    children: [lines.join('\n')],
  }
  return { name: 'testcase', attributes, children: [child] }
}

/** Returns the reasons of a resisted attack, which are reservations about that outcome. */
function reservations(results: AttackResults): Pick<XmlElement, 'children'> {
  const lines = [...results.reasons, ...controlNotes(results)]
  return lines.length === 0 ? {} : { children: [{ name: 'system-out', children: [lines.join('\n')] }] }
}

function durationOf({ trials }: AttackResults): number {
  return trials.reduce((sum, { duration_ms }) => sum + duration_ms, 0)
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
