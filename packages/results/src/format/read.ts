/** Parses and writes `results.json`. */

import {
  checkShape,
  type Diagnostic,
  defined,
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
import { RESULTS_VERSION, type Results, type Trial } from '../model/results.ts'
import { contradictions, repeatedNames, trialContradiction } from './contradictions.ts'
import { pick, resultsShape } from './shapes.ts'
import { trialShape } from './trial-shape.ts'

/** Parses and validates `results.json`. Fields of later releases are dropped. */
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

/** Returns the first problem of a trial as a message; undefined for a valid one. */
export function trialFault(value: Value): string | undefined {
  const [first] = checkShape(value, trialShape, 1)
  // The shape was checked above.
  return first?.message ?? trialContradiction(value as unknown as Trial)
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

/** Writes `results.json`: indented, with the known fields in a fixed order, so that files can be compared as text. */
export function writeResults(results: Redacted<Results>): string {
  // Results are plain data by type; `pick` takes only the known fields.
  return jsonText(pick(results as unknown as Value, resultsShape))
}

/** Returns the JSON Schema 2020-12 of written files. It is strict; `readResults` also accepts unknown fields. */
export function resultsSchema(): Value {
  return jsonSchemaOf(resultsShape, {
    title: 'Joust results',
    description: `results.json, version ${RESULTS_VERSION}: the results of a suite of attacks.`,
  })
}
