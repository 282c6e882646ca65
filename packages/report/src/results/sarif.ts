/** Results as SARIF 2.1.0, for code scanning: a rule for each attack, a result where it went through or could not be judged. */
import type { AttackResults } from '@joust/arena'
import type { SeverityLevel } from '@joust/oatf'
import { printable } from '@joust/source'
import { evidenceLines, headline, lineOf } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { printableLines } from '../syntax/printable-lines.ts'
import { type SarifLevel, type SarifResult, type SarifRule, sarifLog } from '../syntax/sarif-log.ts'

/** An attack that does not say how bad it is may be as bad as any. */
const levels: { readonly [severity in SeverityLevel | 'unknown']: SarifLevel } = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  informational: 'note',
  unknown: 'error',
}

/** The scale by which code scanning sorts findings of security. */
const scores: { readonly [severity in SeverityLevel | 'unknown']: string } = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  informational: '1.0',
  unknown: '8.0',
}

/** One run; attacks that were resisted have a rule and no result. */
export function renderSarif({ joust, attacks, stopped }: ReportInput): string {
  const ids = uniqueIds(attacks)
  return sarifLog({
    version: printable(joust),
    rules: attacks.map((attack, index) => rule(ids[index] ?? '', attack)),
    results: attacks.flatMap((attack, index) => result(ids[index] ?? '', attack)),
    complete: stopped === undefined,
    notifications: stopped === undefined ? [] : [{ level: 'warning', message: plain(stopped.message) }],
  })
}

/** By id, else by file; rules of one log must not share an id. */
function uniqueIds(attacks: readonly AttackResults[]): string[] {
  const taken = new Set<string>()
  return attacks.map(({ attack, file }) => {
    const wanted = printable(attack.id ?? file)
    let id = wanted
    for (let number = 2; taken.has(id); number++) id = `${wanted} (${number})`
    taken.add(id)
    return id
  })
}

function rule(id: string, { attack }: AttackResults): SarifRule {
  const { name, description, category, mappings = [], tags = [], severity = 'unknown', confidence, protocols } = attack
  const techniques = mappings.map((mapping) => [mapping.framework, mapping.id, mapping.name ?? ''].join(' ').trim())
  const help = [
    description?.trim() ?? name,
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

function result(rule: string, results: AttackResults): SarifResult[] {
  const { verdict, file, attack } = results
  if (verdict.result === 'not_exploited') return []
  const open = verdict.result === 'error'
  const { severity, confidence } = gravityOf(results)
  const text = [`${attack.name}: ${headline(results)}`, ...evidenceLines(results)].join('\n')
  return [
    {
      rule,
      // What could not be judged is neither a failure nor a pass, and has no level.
      ...(open
        ? { kind: 'open', level: 'none' }
        : { kind: 'fail', level: levelOf(verdict.result, severity), rank: confidence }),
      message: plain(text),
      place: { file, line: lineOf(results) },
      fingerprints: { 'joustAttack/v1': printable(attack.id ?? file) },
      properties: {
        result: verdict.result,
        ...(verdict.max_tier === undefined ? {} : { max_tier: verdict.max_tier }),
        ...(severity === undefined ? {} : { severity }),
        ...(confidence === undefined ? {} : { confidence }),
        traces: results.trials.map(({ trace }) => trace),
      },
    },
  ]
}

interface Gravity {
  readonly severity?: SeverityLevel | undefined
  readonly confidence?: number | undefined
}

/** The worst of what the indicators that matched say, each in place of the attack (§6.1); the attack itself where none did. */
function gravityOf({ attack, verdict }: AttackResults): Gravity {
  const matched = new Set(
    verdict.indicator_verdicts.flatMap(({ result, indicator_id }) => (result === 'matched' ? [indicator_id] : [])),
  )
  const said = attack.indicators
    .filter(({ id }) => matched.has(id))
    .map(({ severity = attack.severity, confidence = attack.confidence }): Gravity => ({ severity, confidence }))
  const score = ({ severity, confidence = 0 }: Gravity) => Number(scores[severity ?? 'unknown']) * 1000 + confidence
  return said.reduce((worst, one) => (score(one) > score(worst) ? one : worst), said[0] ?? attack)
}

/** In part is less than in full. */
function levelOf(result: string, severity: SeverityLevel | 'unknown' = 'unknown'): SarifLevel {
  const level = levels[severity]
  if (result === 'exploited') return level
  return level === 'error' ? 'warning' : 'note'
}

/** A message may hold links as Markdown does (SARIF 3.11.6); what agents said must not become one. */
function plain(text: string): string {
  return printableLines(text).replaceAll(/[\\[\]]/g, '\\$&')
}
