/** Renders the verdict on an attack. */

import type { Attack, AttackVerdict, Indicator, IndicatorVerdict } from '@joust/oatf'
import { type AttackResults, outcomeVerdicts, verdictOutcomes } from '@joust/results'
import { cut, printable } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { excerpt } from './evidence.ts'
import { outcomeColour } from './outcome-text.ts'

const WIDEST_EVIDENCE = 100

/** Renders a verdict. The outcome requires `assessed`, because one message does not show that the agent resisted. */
export function renderVerdict(
  attack: Attack,
  verdict: AttackVerdict,
  colours: Colours,
  assessed?: Pick<AttackResults, 'outcome' | 'tier' | 'counted'>,
): string {
  const indicators = attack.indicators ?? []
  const { outcome, tier = assessed === undefined ? shownTier(verdict) : undefined, counted } = assessed ?? {}
  const verdicts = outcomeVerdicts({ verdict, ...(counted && { counted }) })
  const lines = verdicts.map((one, index) => indicatorLines(one, indicators[index], colours))
  const count = (result: IndicatorVerdict['result']) => verdicts.filter((one) => one.result === result).length
  const counts = `${count('matched')} matched, ${count('not_matched')} not matched, ${count('error')} errors, ${count('skipped')} skipped`
  const decisive = outcome ?? verdictOutcomes[verdict.result]
  const word = outcome ?? `verdict: ${verdict.result}`
  const conclusion = tier === undefined ? word : `${word} (${tier})`
  return `${lines.join('')}\n${outcomeColour(decisive, colours)(colours.bold(conclusion))}  ${counts}\n`
}

function shownTier({ result, max_tier }: AttackVerdict): AttackVerdict['max_tier'] {
  return result === 'exploited' || result === 'partial' ? max_tier : undefined
}

function indicatorLines(verdict: IndicatorVerdict, indicator: Indicator | undefined, colours: Colours): string {
  const { tier, description } = indicator ?? {}
  const head = [paint(verdict.result, colours), printable(verdict.indicator_id), ...(tier === undefined ? [] : [tier])]
  const about = description === undefined ? [] : [colours.dim(printable(cut(description, WIDEST_EVIDENCE)))]
  return [head.join('  '), ...[...about, ...proof(verdict, colours)].map((line) => `    ${line}`), ''].join('\n')
}

function proof({ match, evidence }: IndicatorVerdict, colours: Colours): string[] {
  if (match !== undefined)
    return [`at ${printable(match.path || 'the root')}: ${excerpt(match, colours, WIDEST_EVIDENCE)}`]
  return evidence === undefined ? [] : [printable(cut(evidence, WIDEST_EVIDENCE))]
}

function paint(result: IndicatorVerdict['result'], colours: Colours): string {
  const word = result.padEnd('not_matched'.length)
  if (result === 'matched' || result === 'error') return colours.red(word)
  return result === 'skipped' ? colours.yellow(word) : colours.green(word)
}
