/** Parses and writes `results.json`. */
import {
  checkShape,
  type Diagnostic,
  defined,
  describeValue,
  err,
  formatPath,
  isRecord,
  jsonSchemaOf,
  jsonText,
  kindOf,
  ok,
  own,
  type Result,
  readJson,
  type ShapeFault,
  suggestion,
  toDoubles,
  type Value,
  withLimits,
} from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { resultsLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import { type AttackResults, RESULTS_VERSION, type Results, type Trial } from '../model/results.ts'
import { pick, resultsShape } from './shapes.ts'
import { trialShape } from './trial-shape.ts'

/**
 * Parses and validates `results.json`. Fields of later releases are dropped.
 *
 * @example
 * const read = readResults(await readFile('joust-results/1/results.json', 'utf8'))
 */
export function readResults(text: string): Result<Results, Diagnostic[]> {
  const json = readJson(text, withLimits({ yamlBytes: resultsLimits.resultsBytes }))
  if (!json.ok) return err(json.error.map(({ message, line, column }) => unreadable(message, line, column)))
  // Results contain no integers beyond the range of a double.
  const value = toDoubles(json.value)
  const version = versionFault(value)
  if (version !== undefined) return err([version])
  const faults = checkShape(value, resultsShape, resultsLimits.resultsFindings)
  if (faults.length > 0) return err(faults.map(fromShape))
  // The shape was checked above.
  const results = withTiers(pick(value, resultsShape) as unknown as Results)
  const problems = [...contradictions(results), ...repeatedNames(results)].slice(0, resultsLimits.resultsFindings)
  return problems.length > 0 ? err(problems) : ok(results)
}

/** Adds a missing tier of a success from its verdict, because other writers may omit the field. */
function withTiers(results: Results): Results {
  const tiered = <T extends Pick<Trial, 'outcome' | 'tier' | 'verdict'>>(one: T): T => {
    const { max_tier } = one.verdict
    const isSuccess = one.outcome === 'exploited' || one.outcome === 'partial'
    return one.tier === undefined && isSuccess && max_tier !== undefined ? { ...one, tier: max_tier } : one
  }
  const targets = results.targets.map((target) => ({
    ...target,
    attacks: target.attacks.map(({ placebo_trials: placebo, ...attack }) => ({
      ...tiered(attack),
      trials: attack.trials.map(tiered),
      ...(placebo && { placebo_trials: placebo.map(tiered) }),
    })),
  }))
  return { ...results, targets }
}

/**
 * Checks a trial that another program may have written; the error is its first problem.
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

/** Checked first, because other versions have other fields. */
function versionFault(value: Value): Diagnostic | undefined {
  if (!isRecord(value))
    return diagnostic('results-unreadable', `not a results file: expected a mapping, got ${kindOf(value)}`, '')
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

function unreadable(message: string, line?: number, column?: number): Diagnostic {
  return { ...diagnostic('results-unreadable', `not a results file: ${message}`, ''), ...defined({ line, column }) }
}

/**
 * Writes `results.json`: indented, with the known fields in a fixed order, so that files can be compared as text.
 *
 * @example
 * await writeFile('results.json', writeResults(results))
 */
export function writeResults(results: Redacted<Results>): string {
  // Results are plain data by type; `pick` takes only the known fields.
  return jsonText(pick(results as unknown as Value, resultsShape))
}

/**
 * Returns the JSON Schema 2020-12 of written files. It is strict; `readResults` also accepts unknown fields.
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

/** Reports each `resisted` with an exploited or partial verdict, or with a failed preflight. */
export function contradictions({ targets }: Results): Diagnostic[] {
  return targets.flatMap(({ preflight, attacks }, target) =>
    attacks.flatMap((attack, index) => {
      const at = `targets[${target}].attacks[${index}]`
      const passes = [
        { path: at, one: attack, all: [attack, ...attack.trials] },
        ...attack.trials.map((trial, number) => ({ path: `${at}.trials[${number}]`, one: trial, all: [trial] })),
      ].filter(({ one }) => one.outcome === 'resisted')
      return passes.flatMap(({ path, all }) => {
        const reason = preflight?.status === 'failed' ? 'the preflight failed' : disproof(all)
        return reason === undefined ? [] : [diagnostic('results-unreadable', `${PASS}${reason}`, `${path}.outcome`)]
      })
    }),
  )
}

/**
 * Reports duplicate file names within a target: comparisons use them as keys. Names with redacted secrets may be equal
 * by chance.
 */
export function repeatedNames({ targets }: Results): Diagnostic[] {
  return targets.flatMap(({ attacks }, target) => {
    const names = new Set<string>()
    return attacks.flatMap(({ file }, index) => {
      const isRepeated = names.has(file) && !HIDDEN.test(file)
      names.add(file)
      const message = `duplicate attack: the target already has results for ${describeValue(file)}`
      return isRepeated ? [diagnostic('results-unreadable', message, `targets[${target}].attacks[${index}].file`)] : []
    })
  })
}

/** The mark of a redacted secret, as written by `markOf`. */
const HIDDEN = /\[redacted: [^\]]+\]/

/** Returns the contradiction in a single trial as a message. */
function trialContradiction(trial: Trial): string | undefined {
  const reason = trial.outcome === 'resisted' ? disproof([trial]) : undefined
  return reason === undefined ? undefined : `${PASS}${reason}`
}

const PASS = 'outcome "resisted" contradicts other fields: '

const successes: ReadonlySet<string> = new Set(['exploited', 'partial'])

function disproof(all: readonly Pick<AttackResults, 'outcome' | 'verdict'>[]): string | undefined {
  const verdict = all.find(({ verdict }) => successes.has(verdict.result))?.verdict.result
  if (verdict !== undefined) return `a verdict is "${verdict}"`
  const outcome = all.find(({ outcome }) => successes.has(outcome))?.outcome
  return outcome === undefined ? undefined : `the outcome of a trial is "${outcome}"`
}
