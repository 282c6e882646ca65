/** Renders results as SARIF 2.1.0 for code scanning. */

import type { SeverityLevel } from '@joust/oatf'
import { type AttackResults, isJudged, isSuspicious, type Outcome, type TargetResults } from '@joust/results'
import { defined, printable, splitBlock } from '@joust/source'
import {
  evidenceLines,
  headline,
  type ListedAttack,
  listedAttacks,
  matchedIndicators,
} from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { printableLines } from '../syntax/printable-lines.ts'
import {
  type SarifLevel,
  type SarifNotification,
  type SarifResult,
  type SarifRule,
  sarifLog,
} from '../syntax/sarif-log.ts'

/** SARIF levels by severity. An attack without a severity is treated as severe. */
const levels: { readonly [severity in SeverityLevel | 'unknown']: SarifLevel } = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  informational: 'note',
  unknown: 'error',
}

/** Values of `security-severity` for GitHub code scanning. */
const scores: { readonly [severity in SeverityLevel | 'unknown']: string } = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  informational: '1.0',
  unknown: '8.0',
}

/**
 * Renders one run with a rule for each attack, and a result unless it was resisted. The reasons of inconclusive and not
 * applicable attacks are also notifications, because they concern the run rather than the code. `executionSuccessful`
 * is false unless each target has a verdict and the suite is complete.
 *
 * @example
 * await writeFile('results.sarif', renderSarif(results))
 */
export function renderSarif(input: ReportInput): string {
  const { joust, targets, stopped } = input
  const all = listedAttacks(input)
  const ids = ruleIds(all.map(({ results }) => results))
  const rules = new Map(all.map(({ results }, index) => [ids[index] ?? '', results]))
  return sarifLog({
    version: printable(joust),
    rules: [...rules].map(([id, results]) => rule(id, results)),
    results: all.flatMap((listed, index) => result(ids[index] ?? '', listed)),
    complete: stopped === undefined && targets.every(hasVerdict),
    notifications: [
      ...all.flatMap(notification),
      ...targets.filter((target) => !hasVerdict(target)).map(unjudged),
      ...(stopped === undefined ? [] : [{ level: 'warning' as const, message: plain(splitBlock(stopped.message)[0]) }]),
    ],
  })
}

/** Returns the rule id of each attack: the attack id or the file, made unique per document. */
function ruleIds(attacks: readonly AttackResults[]): string[] {
  const files = new Map<string, string>()
  return attacks.map(({ attack, file }) => {
    const name = printable(attack.id ?? file)
    let id = name
    for (let number = 2; files.has(id) && files.get(id) !== file; number++) id = `${name} (${number})`
    files.set(id, file)
    return id
  })
}

function rule(id: string, { attack }: AttackResults): SarifRule {
  const { name, description, remediation, category, mappings = [], tags = [] } = attack
  const { severity = 'unknown', confidence, protocols } = attack
  const techniques = mappings.map((mapping) => [mapping.framework, mapping.id, mapping.name ?? ''].join(' ').trim())
  const help = [
    description?.trim() ?? name,
    ...(remediation === undefined ? [] : [`What to change: ${remediation}`]),
    `Protocols: ${protocols.join(', ') || 'none'}.`,
    ...(techniques.length === 0 ? [] : [`Techniques: ${techniques.join('; ')}.`]),
  ]
  return {
    id,
    name: printable(name),
    summary: plain(name),
    description: plain(description?.trim() ?? name),
    help: plain(help.join('\n\n')),
    level: levels[severity],
    properties: {
      tags: ['security', ...(category === undefined ? [] : [category]), ...tags.map(printable)],
      'security-severity': scores[severity],
      ...(confidence === undefined ? {} : { confidence }),
    },
  }
}

/** SARIF kinds by outcome. Only `fail` has a level. */
const kinds: { readonly [outcome in Outcome]: NonNullable<SarifResult['kind']> | undefined } = {
  exploited: 'fail',
  partial: 'fail',
  inconclusive: 'open',
  not_applicable: 'notApplicable',
  resisted: undefined,
}

function result(rule: string, { results, target, kind: of, place }: ListedAttack): SarifResult[] {
  const { outcome, tier, file, attack } = results
  const isOpen = isSuspicious(results)
  const kind = isOpen ? 'fail' : kinds[outcome]
  if (kind === undefined) return []
  const print = printable(attack.id ?? file)
  const { severity, confidence } = gravityOf(results)
  return [
    {
      rule,
      kind,
      ...(kind === 'fail'
        ? { level: isOpen ? 'warning' : levelOf(outcome, severity), rank: confidence }
        : { level: 'none' }),
      message: plain([`${nameOf(results, target)}: ${headline(results)}`, ...evidenceLines(results, of)].join('\n')),
      place,
      fingerprints: { 'joustAttack/v1': target === undefined ? print : `${print} on ${printable(target)}` },
      properties: {
        outcome,
        ...defined({ max_tier: tier, severity, confidence }),
        traces: results.trials.map(({ trace }) => trace),
      },
    },
  ]
}

function notification({ results, target, place }: ListedAttack): SarifNotification[] {
  const { outcome, reasons } = results
  if (isJudged(results)) return []
  const lines = [`${nameOf(results, target)}: ${outcome}`, ...reasons.map((reason) => splitBlock(reason)[0])]
  return [{ level: outcome === 'inconclusive' ? 'warning' : 'note', message: plain(lines.join('\n')), place }]
}

function hasVerdict({ attacks }: TargetResults): boolean {
  return attacks.some(isJudged)
}

function unjudged({ name }: TargetResults): SarifNotification {
  return { level: 'error', message: plain(`${name}: no attack has a verdict`) }
}

function nameOf({ attack }: AttackResults, target: string | undefined): string {
  return target === undefined ? attack.name : `${attack.name} on ${target}`
}

interface Gravity {
  readonly severity?: SeverityLevel | undefined
  readonly confidence?: number | undefined
}

/** Returns the worst severity of the matched indicators ([OATF §6.1](https://oatf.io/specification/indicators/)). */
function gravityOf(results: AttackResults): Gravity {
  const { attack } = results
  const candidates = matchedIndicators(results).map(
    ({ severity = attack.severity, confidence = attack.confidence }): Gravity => ({ severity, confidence }),
  )
  const score = ({ severity, confidence = 0 }: Gravity) => Number(scores[severity ?? 'unknown']) * 1000 + confidence
  return candidates.reduce((worst, one) => (score(one) > score(worst) ? one : worst), candidates[0] ?? attack)
}

function levelOf(outcome: Outcome, severity: SeverityLevel | 'unknown' = 'unknown'): SarifLevel {
  const level = levels[severity]
  if (outcome === 'exploited') return level
  return level === 'error' ? 'warning' : 'note'
}

/** Escapes link syntax, because SARIF messages may contain links (SARIF §3.11.6). */
function plain(text: string): string {
  return printableLines(text).replaceAll(/[\\[\]]/g, '\\$&')
}
