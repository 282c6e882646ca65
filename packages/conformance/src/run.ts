/** Runs all fixtures of a directory in the official layout. Unknown files, keys and shapes are failures. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Attack,
  computeVerdict,
  type Document,
  type IndicatorVerdict,
  load,
  normalize,
  parse,
  serialize,
} from '@joust/oatf'
import { isList, own, readSource, type Value } from '@joust/source'
import {
  type CaseCheck,
  type CaseResult,
  type Failure,
  type FixtureCase,
  fields,
  judge,
  readCase,
  readFixture,
  structural,
  unknownShape,
} from './case.ts'
import { difference } from './difference.ts'
import { checkEvaluation } from './evaluate.ts'
import { runCorpus } from './parse.ts'
import { primitiveChecks } from './primitives.ts'
import { checkValidation } from './validate.ts'

type Files = readonly string[]
type RunDirectory = (root: string, directory: string, files: Files) => Promise<CaseResult[]>

/** The directories of the layout, all of which must exist, with their checks. */
const directories: { readonly [directory: string]: RunDirectory } = {
  'parse/valid': runCorpus,
  'parse/invalid': runCorpus,
  validate: suites(() => checkValidation),
  normalize: suites(() => checkNormalize),
  roundtrip: suites(() => checkRoundtrip),
  evaluate: suites(() => checkEvaluation),
  verdict: suites(() => checkVerdict),
  primitives: suites((file) => (Object.hasOwn(primitiveChecks, file) ? primitiveChecks[file] : undefined)),
}

/**
 * Returns the top-level directories of the layout that exist.
 *
 * @example
 * console.log(await layoutParts('conformance'))
 */
export async function layoutParts(root: string): Promise<string[]> {
  const tops = new Set(Object.keys(directories).map((directory) => directory.split('/')[0]))
  return ((await entriesOf(root)) ?? []).filter((name) => tops.has(name))
}

/**
 * Runs all cases and documents of a fixture directory.
 *
 * @example
 * const failed = (await runConformance('conformance')).filter(({ failure }) => failure !== undefined)
 */
export async function runConformance(root: string): Promise<CaseResult[]> {
  const results = await strayEntries(root)
  for (const [directory, run] of Object.entries(directories)) {
    const files = await entriesOf(join(root, directory))
    if (files !== undefined && files.length > 0) results.push(...(await run(root, directory, files)))
    else
      results.push(
        structural(directory, directory, 'a directory with fixtures', files ? 'an empty directory' : 'missing'),
      )
  }
  return repeatedIds(results)
}

function suites(checkOf: (file: string) => CaseCheck | undefined): RunDirectory {
  return async (root, directory, files) =>
    (await Promise.all(files.map((file) => runFixtures(root, directory, file, checkOf(file))))).flat()
}

async function strayEntries(root: string): Promise<CaseResult[]> {
  const layout = Object.keys(directories).map((directory) => directory.split('/'))
  const top = ((await entriesOf(root)) ?? []).filter((name) => !layout.some(([first]) => first === name))
  const parse = (await entriesOf(join(root, 'parse'))) ?? []
  const inside = parse.filter((name) => !layout.some(([first, second]) => first === 'parse' && second === name))
  return [...top, ...inside.map((name) => `parse/${name}`)].map((path) =>
    structural(path, path, 'a directory of the fixture layout', 'unknown'),
  )
}

/** Lists a directory except for Markdown files; undefined if it does not exist. */
async function entriesOf(directory: string): Promise<string[] | undefined> {
  const names = await readdir(directory).catch(() => undefined)
  return names?.filter((name) => !name.endsWith('.md')).sort()
}

function repeatedIds(results: readonly CaseResult[]): CaseResult[] {
  const ids = new Set<string>()
  return results.map((entry) => {
    const repeated = ids.has(entry.id)
    ids.add(entry.id)
    return repeated ? { ...entry, failure: { expected: 'a unique id', actual: `duplicate id ${entry.id}` } } : entry
  })
}

function checkNormalize({ input, expected }: FixtureCase): Failure | undefined {
  if (typeof input !== 'string' || typeof expected !== 'string') return unknownShape('input and expected', expected)
  const document = readSource(expected)
  if (!document.ok) return unknownShape('expected', expected)
  const loaded = load(input, { strict: true })
  if (!loaded.ok) return notLoaded(loaded.error)
  return difference(document.value.value, plain(loaded.value.document))
}

function checkRoundtrip({ input, expected }: FixtureCase): Failure | undefined {
  const record = fields(expected, ['identical'])
  if (typeof input !== 'string' || record === undefined || own(record, 'identical') !== true)
    return unknownShape('input and expected', expected)
  const first = parse(input)
  if (!first.ok) return notLoaded(first.error)
  const normalized = normalize(first.value)
  const second = parse(serialize(normalized))
  if (!second.ok) return notLoaded(second.error)
  return difference(plain(normalized), plain(normalize(second.value)))
}

function notLoaded(errors: readonly { readonly code: string; readonly message: string }[]): Failure {
  return { expected: 'a valid document', actual: errors.map(({ code, message }) => `${code}: ${message}`).join('; ') }
}

function plain(document: Document): Value {
  // A document consists of plain values.
  return document as unknown as Value
}

async function runFixtures(
  root: string,
  directory: string,
  file: string,
  check: CaseCheck | undefined,
): Promise<CaseResult[]> {
  const path = `${directory}/${file}`
  if (check === undefined || !file.endsWith('.yaml'))
    return [structural(directory, path, 'a known fixture file', 'unknown')]
  const text = await readFixture(root, path)
  if (text === undefined) return [structural(directory, path, 'a readable file', 'unreadable')]
  const source = readSource(text)
  if (!source.ok) return [structural(directory, path, 'a YAML file', source.error[0]?.message ?? 'unreadable text')]
  const cases = source.value.value
  if (!isList(cases) || cases.length === 0) return [structural(directory, path, 'a list of cases', 'another value')]
  return cases.map((value, index) => {
    const fixture = readCase(value)
    if (!fixture.ok) return structural(directory, `${path}[${index}]`, 'a case', fixture.error)
    const { id, name } = fixture.value
    return judge({ directory, file: path, id, name }, () => check(fixture.value))
  })
}

function checkVerdict({ input, expected }: FixtureCase): Failure | undefined {
  const record = fields(input, ['correlation_logic', 'indicators', 'verdicts'])
  const verdict = fields(expected, ['result', 'evaluation_summary'])
  const indicators = record && own(record, 'indicators')
  const verdicts = record && readVerdicts(own(record, 'verdicts'))
  if (record === undefined || verdict === undefined || !isList(indicators) || verdicts === undefined)
    return unknownShape('input and expected', input)

  const attack = { execution: {}, indicators, correlation: { logic: own(record, 'correlation_logic') } }
  // Fixtures contain only the parts of an attack that a verdict depends on.
  const { result, evaluation_summary } = computeVerdict(attack as unknown as Attack, verdicts)
  return difference(verdict, { result, evaluation_summary: { ...evaluation_summary } })
}

function readVerdicts(value: Value | undefined): ReadonlyMap<string, IndicatorVerdict> | undefined {
  if (!isList(value)) return undefined
  const verdicts = new Map<string, IndicatorVerdict>()
  for (const item of value) {
    const id = own(item, 'indicator_id')
    if (typeof id !== 'string') return undefined
    // The id was checked; results of fixtures are not validated.
    verdicts.set(id, item as unknown as IndicatorVerdict)
  }
  return verdicts
}
