/** Text to results. */
import {
  type Diagnostic,
  err,
  isRecord,
  kindOf,
  ok,
  own,
  type Result,
  readJson,
  toDoubles,
  type Value,
  withLimits,
} from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { checkResults } from './check.ts'
import { RESULTS_VERSION, type Results } from './model.ts'
import { pick } from './pick.ts'
import { resultsShape } from './shapes.ts'

/** The largest `results.json` that is read: 256 MB. */
export const RESULTS_BYTES = 256 * 1024 * 1024

/** Reads `results.json`, or says everything that is wrong with it. Fields of later releases are left out. */
export function readResults(text: string): Result<Results, Diagnostic[]> {
  const json = readJson(text, withLimits({ yamlBytes: RESULTS_BYTES }))
  if (!json.ok) return err(json.error.map(({ message, line, column }) => unreadable(message, line, column)))
  // Every number of results is a measure of ours.
  const value = toDoubles(json.value)
  const version = versionFault(value)
  if (version !== undefined) return err([version])
  const faults = checkResults(value, resultsShape)
  // The check has just shown that the value is what the type says.
  return faults.length > 0 ? err(faults) : ok(pick(value, resultsShape) as unknown as Results)
}

/** Comes before everything else: what another version looks like is not known here. */
function versionFault(value: Value): Diagnostic | undefined {
  if (!isRecord(value)) return diagnostic('results-unreadable', `results are a mapping, got ${kindOf(value)}`, '')
  const version = own(value, 'version')
  if (version === undefined) return fault('these are no results: the field "version" is missing')
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return fault(`these are no results: "version" must be ${RESULTS_VERSION}, got ${kindOf(version)}`)
  if (version > RESULTS_VERSION)
    return fault(
      `results of version ${version}; this joust reads up to version ${RESULTS_VERSION}, a newer one reads them`,
    )
  return undefined
}

function fault(message: string): Diagnostic {
  return diagnostic('results-unreadable', message, 'version')
}

function unreadable(message: string, line?: number, column?: number): Diagnostic {
  return {
    ...diagnostic('results-unreadable', message, ''),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}
