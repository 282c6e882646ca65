/** `joust coverage DIR`: shows tested techniques by protocol, and the coverage of each known framework. */
import { library } from '@joust/library'
import {
  type AivssScores,
  aivssFactors,
  aivssScores,
  type Bounds,
  type Counts,
  type Coverage,
  coverageOf,
  type FrameworkCoverage,
  frameworkCoverage,
  frameworkName,
  type TechniqueCoverage,
  type TechniqueState,
  techniqueStates,
} from '@joust/results'
import { cut, jsonText, printable } from '@joust/source'
import type { CoverageOptions } from '../options/results.ts'
import { unknownWord } from '../options/unknown-word.ts'
import { readResultsAt } from '../report/read-results.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

export async function coverage(path: string, options: CoverageOptions, io: Io): Promise<number> {
  const stored = await readResultsAt(path, io)
  if (!stored.ok) return stored.error
  const attacks = stored.value.results.targets.flatMap((target) => target.attacks)
  const techniques = coverageOf({ attacks })
  const named = options.framework.map(frameworkName)
  const coverages = frameworkCoverage(attacks, library)
  const unknownName = options.framework.find((_, at) => !coverages.some(({ framework }) => framework === named[at]))
  if (unknownName !== undefined) {
    const names = coverages.map(({ framework }) => framework.replaceAll('_', '-'))
    const message = `--framework: unknown framework "${unknownName}"; available: ${names.join(', ')}`
    return wrongUsage([unknownWord(message, unknownName, names)], io)
  }
  const chosen = named.length === 0 ? coverages : coverages.filter(({ framework }) => named.includes(framework))
  const colours = coloursFor(io, 'stdout')
  const aivss = stored.value.results.targets.flatMap((target) => aivssScores(target) ?? [])
  if (options.json) io.stdout.write(jsonText({ ...techniques, frameworks: chosen, aivss }))
  else {
    const table = named.length === 0 ? [renderCoverage(techniques, colours)] : []
    const scores = named.length === 0 ? aivss.map((one) => renderScores(one, colours)) : []
    const frameworks = chosen.map((one) => renderFramework(one, named.length > 0, colours))
    io.stdout.write([...table, ...frameworks, ...scores].join('\n'))
  }
  return exitCodes.ok
}

const WIDEST = 59

const stateWords: Readonly<Record<TechniqueState, string>> = {
  read: 'read by the model',
  tried: 'tried',
  not_tried: 'not tried',
  cannot_be_tried: 'cannot be tried',
}

/** Renders one line per technique. For a long framework, omits untested techniques unless `--framework` selects it. */
function renderFramework(coverage: FrameworkCoverage, isWhole: boolean, colours: Colours): string {
  const { framework, title, version, counts, techniques } = coverage
  const isShort = techniques.length <= SHORT
  const rows = techniques.filter(({ state }) => isWhole || isShort || state === 'read' || state === 'tried')
  const sums = techniqueStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state]} ${stateWords[state]}`)
  const width = Math.max(0, ...rows.map(({ id }) => id.length))
  const widest = Math.max(0, ...rows.map((one) => Math.min(one.title.length, WIDEST)))
  const lines = rows.map((technique) => {
    const { id, state, attacks, reason } = technique
    const note = reason ?? counted(attacks)
    const name = cut(technique.title, WIDEST).padEnd(widest)
    return `${id.padEnd(width)}  ${name}  ${stateWords[state].padEnd(STATE)}  ${note}`.trimEnd()
  })
  const rest = rows.length === techniques.length ? [] : [`--framework ${framework.replaceAll('_', '-')} lists all.`]
  return `${[colours.bold(`${title}, ${version}: ${sums.join(', ')}`), ...lines, ...rest].join('\n')}\n`
}

function renderScores({ version, target, profile, sum, unknown, findings }: AivssScores, colours: Colours): string {
  const head = `OWASP AIVSS ${version}, agent ${printable(target)}: factors ${between(sum)} of 10`
  const known = aivssFactors.flatMap((factor) =>
    unknown.includes(factor) ? [] : [`${factor} ${String(profile.factors[factor])}`],
  )
  const { mitigation = 'none' } = profile
  const notes = [
    `${known.join(', ')}; mitigation ${mitigation}`,
    ...(unknown.length === 0 ? [] : [`unknown: ${unknown.join(', ')}; set them with annotations in the agent file`]),
    ...(findings.length === 0 ? ['no attack succeeded'] : []),
  ]
  const rows = findings.map(({ name, cvss, score, severity }) => {
    const words = severity.low === severity.high ? severity.low : `${severity.low} to ${severity.high}`
    return `${between(score).padEnd(SCORE)}  ${words.padEnd(WORDS)}  CVSS ${between(cvss).padEnd(SCORE)}  ${printable(cut(name, WIDEST))}`
  })
  return `${[colours.bold(head), ...notes, ...rows].join('\n')}\n`
}

const SCORE = '10.0 to 10.0'.length
const WORDS = 'medium to critical'.length

function between({ low, high }: Bounds): string {
  return low === high ? low.toFixed(1) : `${low.toFixed(1)} to ${high.toFixed(1)}`
}

/** Frameworks with at most this number of techniques are always listed in full. */
const SHORT = 20
const STATE = Math.max(...Object.values(stateWords).map((words) => words.length))

function renderCoverage({ protocols, techniques, unmapped }: Coverage, colours: Colours): string {
  const names = techniques.map(nameOf)
  const width = Math.max('technique'.length, ...names.map((name) => name.length))
  const columns = protocols.map((protocol) => printable(cut(protocol, WIDEST)))
  const cells = techniques.map((technique) => protocols.map((protocol) => cell(technique, protocol)))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => (row[at] ?? '').length)))
  const pad = (row: readonly string[]) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ')
  const head = colours.bold(`${'technique'.padEnd(width)}  ${pad(columns)}`.trimEnd())
  const rows = cells.map((row, at) => `${(names[at] ?? '').padEnd(width)}  ${pad(row)}`.trimEnd())
  const rest = unmapped.length === 0 ? [] : ['', `attacks without a technique: ${unmapped.map(printable).join(', ')}`]
  const legend = ['', 'successful attacks / all attacks; p partial, ? inconclusive, - not applicable']
  return `${[head, ...rows, ...legend, ...rest].join('\n')}\n`
}

function nameOf({ framework, id, name = '' }: TechniqueCoverage): string {
  return printable(cut(`${framework} ${id} ${name}`.trim(), WIDEST))
}

function cell({ protocols }: TechniqueCoverage, protocol: string): string {
  const row = protocols.find((one) => one.protocol === protocol)
  return row === undefined ? '·' : counted(row.attacks)
}

function counted({ exploited, partial, inconclusive, not_applicable, total }: Counts): string {
  const notes = [
    ...(partial > 0 ? [`${partial}p`] : []),
    ...(inconclusive > 0 ? [`${inconclusive}?`] : []),
    ...(not_applicable > 0 ? [`${not_applicable}-`] : []),
  ]
  return [`${exploited}/${total}`, ...notes].join(' ')
}
