/** Text to results. */
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
import { arenaLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import { contradictions, trialContradiction } from './contradictions.ts'
import { RESULTS_VERSION, type Results, type Trial } from './model.ts'
import { pick, resultsShape } from './shapes.ts'
import { trialShape } from './trial-shape.ts'

/** Reads `results.json`, or says everything that is wrong with it. Fields of later releases are dropped. */
export function readResults(text: string): Result<Results, Diagnostic[]> {
  const json = readJson(text, withLimits({ yamlBytes: arenaLimits.resultsBytes }))
  if (!json.ok) return err(json.error.map(({ message, line, column }) => unreadable(message, line, column)))
  // All numbers in results are measurements of ours.
  const value = toDoubles(json.value)
  const version = versionFault(value)
  if (version !== undefined) return err([version])
  const faults = checkShape(value, resultsShape, arenaLimits.resultsFindings)
  if (faults.length > 0) return err(faults.map(fromShape))
  // The check has just shown that the value is what the type says.
  const results = withTiers(pick(value, resultsShape) as unknown as Results)
  const wrong = contradictions(results).slice(0, arenaLimits.resultsFindings)
  return wrong.length > 0 ? err(wrong) : ok(results)
}

/** Results in which a success without a tier of its own has that of its verdict: other writers may not know the field. */
function withTiers(results: Results): Results {
  const tiered = <T extends Pick<Trial, 'outcome' | 'tier' | 'verdict'>>(one: T): T => {
    const { max_tier } = one.verdict
    const isThrough = one.outcome === 'exploited' || one.outcome === 'partial'
    return one.tier === undefined && isThrough && max_tier !== undefined ? { ...one, tier: max_tier } : one
  }
  const targets = results.targets.map((target) => ({
    ...target,
    attacks: target.attacks.map((attack) => ({ ...tiered(attack), trials: attack.trials.map(tiered) })),
  }))
  return { ...results, targets }
}

/** The first reason why a value is not a trial, as a sentence; undefined for a trial. */
export function trialFault(value: Value): string | undefined {
  const [first] = checkShape(value, trialShape, 1)
  // The shape has just been checked.
  return first?.message ?? trialContradiction(value as unknown as Trial)
}

/** Comes before everything else: the format of another version is not known here. */
function versionFault(value: Value): Diagnostic | undefined {
  if (!isRecord(value)) return diagnostic('results-unreadable', `results are a mapping, got ${kindOf(value)}`, '')
  const version = own(value, 'version')
  if (version === undefined) return fault('these are not results: the field "version" is missing')
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return fault(`these are not results: "version" must be ${RESULTS_VERSION}, got ${kindOf(version)}`)
  if (version > RESULTS_VERSION)
    return fault(
      `these are results of version ${version}; this joust reads version ${RESULTS_VERSION}: use a newer joust`,
    )
  if (version < RESULTS_VERSION)
    return fault(
      `these are results of version ${version}, which has no outcomes; this joust reads version ${RESULTS_VERSION}: run the suite again`,
    )
  return undefined
}

function fromShape({ message, path, at, meant }: ShapeFault): Diagnostic {
  return diagnostic('results-unreadable', message, formatPath(path), suggestion(at, meant).suggestion)
}

function fault(message: string): Diagnostic {
  return diagnostic('results-unreadable', message, 'version')
}

function unreadable(message: string, line?: number, column?: number): Diagnostic {
  return { ...diagnostic('results-unreadable', `these are not results; ${message}`, ''), ...defined({ line, column }) }
}

/** `results.json`: indented, only the fields of the table, in its order, so that two can be compared as text. */
export function writeResults(results: Redacted<Results>): string {
  // Plain data by its type; `pick` takes only the known fields.
  return jsonText(pick(results as unknown as Value, resultsShape))
}

/** JSON Schema 2020-12; strict, since it describes what is written. Reading tolerates fields of later releases. */
export function resultsSchema(): Value {
  return jsonSchemaOf(resultsShape, {
    title: 'Joust results',
    description: 'results.json, version 2: what a run of a suite of attacks found.',
  })
}
