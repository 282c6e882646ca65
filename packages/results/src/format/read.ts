/** Parses and writes `results.json`. */
import {
  checkShape,
  createJsonCutter,
  type Diagnostic,
  defined,
  err,
  formatPath,
  isRecord,
  type JsonFrame,
  jsonSchemaOf,
  jsonText,
  kindOf,
  ok,
  own,
  type Position,
  type Result,
  readJson,
  type ShapeFault,
  sortByPosition,
  suggestion,
  toDoubles,
  type Value,
  withLimits,
} from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { resultsLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import { type AttackResults, RESULTS_VERSION, type Results, type Trial } from '../model/results.ts'
import { type Claims, claimsOf, contradictions, trialContradiction } from './contradictions.ts'
import { attackShape, frameShape, pick, type ResultsWith, resultsShape } from './shapes.ts'
import { trialShape } from './trial-shape.ts'

/**
 * Parses and validates `results.json`. Drops unknown fields from later releases.
 *
 * @example
 * const read = readResults(await readFile('joust-results/1/results.json', 'utf8'))
 */
export function readResults(text: string): Result<Results, Diagnostic[]> {
  const reader = createResultsReader((attack) => attack)
  reader.add(text)
  return reader.finish()
}

interface ResultsReader<T> {
  add(part: string): void
  finish(): Result<ResultsWith<T>, Diagnostic[]>
}

/** Reads results in parts, which may have any size. Keeps in memory only the values that `keep` returns for attacks. */
export function createResultsReader<T>(keep: (attack: AttackResults) => T): ResultsReader<T> {
  const errors: Diagnostic[] = []
  const faults: ShapeFault[] = []
  const attacks: { readonly kept: T; readonly claims: Claims }[] = []
  const limits = withLimits({ yamlBytes: resultsLimits.resultsBytes })
  const cutter = createJsonCutter(['targets', 'attacks'], ({ text, start, place }) => {
    if (errors.length > 0 || faults.length >= resultsLimits.resultsFindings) return
    const json = readJson(text, limits)
    if (!json.ok) {
      errors.push(...json.error.map((error) => unreadable(error.message, movedBy(start, error))))
      return
    }
    // Results contain no integers beyond the range of a double.
    const value = toDoubles(json.value)
    const path = ['targets', place[0] ?? 0, 'attacks', place[1] ?? 0]
    const wrong = checkShape(value, attackShape, resultsLimits.resultsFindings - faults.length)
    for (const one of wrong) faults.push({ ...one, path: [...path, ...one.path] })
    if (faults.length > 0) return
    // The shape was checked above.
    const attack = withTiers(pick(value, attackShape) as unknown as AttackResults)
    attacks.push({ kept: keep(attack), claims: claimsOf(attack) })
  })
  return {
    add: cutter.add,
    finish() {
      const frame = cutter.finish()
      const json = readJson(frame.text, limits)
      if (!json.ok)
        errors.push(...json.error.map(({ message, line, column }) => unreadable(message, wholeOf(frame, line, column))))
      if (!json.ok || errors.length > 0) return err(sortByPosition(errors).slice(0, 1))
      const value = toDoubles(json.value)
      const version = versionFault(value)
      if (version !== undefined) return err([version])
      const all = [...checkShape(value, frameShape), ...faults].slice(0, resultsLimits.resultsFindings)
      if (all.length > 0) return err(all.map(fromShape))
      // The shape was checked above.
      const results = pick(value, frameShape) as unknown as ResultsWith<number>
      const problems = contradictions(withAttacks(results, attacks, ({ claims }) => claims).targets)
      if (problems.length > 0) return err(problems.slice(0, resultsLimits.resultsFindings))
      return ok(withAttacks(results, attacks, ({ kept }) => kept))
    },
  }
}

/** Replaces the numbers of attacks with the attacks. */
function withAttacks<A, T>(results: ResultsWith<number>, all: readonly A[], of: (one: A) => T): ResultsWith<T> {
  const targets = results.targets.map((target) => ({
    ...target,
    attacks: target.attacks.flatMap((number) => {
      const one = all[number]
      return one === undefined ? [] : [of(one)]
    }),
  }))
  return { ...results, targets }
}

/** Adds missing tiers to successes, based on the verdicts, because other writers may omit the field. */
function withTiers({ placebo_trials: placebo, ...attack }: AttackResults): AttackResults {
  const tiered = <T extends Pick<Trial, 'outcome' | 'tier' | 'verdict'>>(one: T): T => {
    const { max_tier } = one.verdict
    const isSuccess = one.outcome === 'exploited' || one.outcome === 'partial'
    return one.tier === undefined && isSuccess && max_tier !== undefined ? { ...one, tier: max_tier } : one
  }
  return {
    ...tiered(attack),
    trials: attack.trials.map(tiered),
    ...(placebo && { placebo_trials: placebo.map(tiered) }),
  }
}

/**
 * Checks a trial that another program may have written. The error describes its first problem.
 *
 * @example
 * const trial = checkTrial({ trial: 1 })
 * if (!trial.ok) console.error(trial.error)
 */
export function checkTrial(value: Value): Result<Trial, string> {
  const [first] = checkShape(value, trialShape, 1)
  // The shape was checked above.
  const trial = value as unknown as Trial
  const problem = first?.message ?? trialContradiction(trial)
  return problem === undefined ? ok(trial) : err(problem)
}

/** Checks the version before other fields, which differ between versions. */
function versionFault(value: Value): Diagnostic | undefined {
  if (!isRecord(value))
    return diagnostic('results-unreadable', `not a results file: expected an object, got ${kindOf(value)}`, '')
  const version = own(value, 'version')
  if (version === undefined) return fault('not a results file: missing "version"')
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return fault(`not a results file: expected "version" to be ${RESULTS_VERSION}, got ${kindOf(version)}`)
  if (version > RESULTS_VERSION)
    return fault(`unsupported results version ${version}, expected ${RESULTS_VERSION}; update joust to read it`)
  if (version < RESULTS_VERSION)
    return fault(`unsupported results version ${version}, expected ${RESULTS_VERSION}; run the suite again`)
  return undefined
}

function fromShape({ message, path, at, meant }: ShapeFault): Diagnostic {
  return diagnostic('results-unreadable', message, formatPath(path), suggestion(at, meant))
}

function fault(message: string): Diagnostic {
  return diagnostic('results-unreadable', message, 'version')
}

function unreadable(message: string, at: Partial<Position>): Diagnostic {
  return { ...diagnostic('results-unreadable', `not a results file: ${message}`, ''), ...defined(at) }
}

function wholeOf(frame: JsonFrame, line: number | undefined, column: number | undefined): Partial<Position> {
  return line === undefined || column === undefined ? {} : frame.whole({ line, column })
}

/** Converts a position in a part of a text into a position in the whole text. The part begins at `start`. */
function movedBy(start: Position, { line, column }: Partial<Position>): Partial<Position> {
  if (line === undefined || column === undefined) return start
  return { line: start.line + line - 1, column: line === 1 ? start.column + column - 1 : column }
}

/**
 * Writes `results.json`: indented, with the known fields in a fixed order, so that files can be compared as text.
 *
 * @example
 * await writeFile('results.json', writeResults(results))
 */
export function writeResults(results: Redacted<Results>): string {
  return [...resultsParts(results)].join('')
}

/** Yields the text of `results.json` in parts, one per attack. */
export function* resultsParts(results: Redacted<Results>): Generator<string> {
  const targets = results.targets.map((target) => ({ ...target, attacks: [] }))
  // Results are plain data by type; `pick` takes only the known fields.
  const frame = jsonText(pick({ ...results, targets } as unknown as Value, resultsShape))
  // Line breaks within strings are escaped, so these are the attack lists of the targets.
  const [first = '', ...others] = frame.split(EMPTY)
  yield first
  for (const [index, after] of others.entries()) {
    let before = '['
    for (const attack of results.targets[index]?.attacks ?? []) {
      const text = jsonText(pick(attack as unknown as Value, attackShape)).trimEnd()
      yield `${before === '[' ? `${LIST}[` : ','}\n        ${text.replaceAll('\n', '\n        ')}`
      before = ','
    }
    yield `${before === '[' ? EMPTY : '\n      ]'}${after}`
  }
}

const LIST = '\n      "attacks": '
const EMPTY = `${LIST}[]`

/**
 * Returns the JSON Schema 2020-12 for written files. It is strict, although `readResults` accepts unknown fields.
 *
 * @example
 * await writeFile('results.schema.json', JSON.stringify(resultsSchema()))
 */
export function resultsSchema(): Value {
  return jsonSchemaOf(resultsShape, {
    title: 'Joust results',
    description: `results.json, version ${RESULTS_VERSION}: the results of a suite of attacks.`,
  })
}
