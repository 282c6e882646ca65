/** Runs every fixture of a directory in the official layout. Whatever is not understood is a failure, never a skip. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseCheck, CaseResult } from './case.ts'
import { checkEvaluation } from './evaluate.ts'
import { checkNormalize, checkRoundtrip } from './normalize.ts'
import { runCorpus } from './parse.ts'
import { primitiveChecks } from './primitives.ts'
import { structural } from './result.ts'
import { runSuite } from './suite.ts'
import { checkValidation } from './validate.ts'
import { checkVerdict } from './verdict.ts'

type Files = readonly string[]
type RunDirectory = (root: string, directory: string, files: Files) => Promise<CaseResult[]>

/** The directories of the layout and what runs their files; all of them must be there. */
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

/** The top directories of the layout that a directory has. */
export async function layoutParts(root: string): Promise<string[]> {
  const tops = new Set(Object.keys(directories).map((directory) => directory.split('/')[0]))
  return ((await entriesOf(root)) ?? []).filter((name) => tops.has(name))
}

/** Every case and document of a fixture directory with what became of it. */
export async function runConformance(root: string): Promise<CaseResult[]> {
  const results = await strayEntries(root)
  for (const [directory, run] of Object.entries(directories)) {
    const files = await entriesOf(join(root, directory))
    if (files !== undefined && files.length > 0) results.push(...(await run(root, directory, files)))
    else results.push(structural(directory, directory, 'a directory with fixtures', files ? 'an empty one' : 'none'))
  }
  return repeatedIds(results)
}

function suites(checkOf: (file: string) => CaseCheck | undefined): RunDirectory {
  return async (root, directory, files) => {
    const results = await Promise.all(files.map((file) => runSuite(root, directory, file, checkOf(file))))
    return results.flat()
  }
}

/** Files and directories that the layout does not have. */
async function strayEntries(root: string): Promise<CaseResult[]> {
  const known = Object.keys(directories).map((directory) => directory.split('/'))
  const top = ((await entriesOf(root)) ?? []).filter((name) => !known.some(([first]) => first === name))
  const parse = (await entriesOf(join(root, 'parse'))) ?? []
  const inside = parse.filter((name) => !known.some(([first, second]) => first === 'parse' && second === name))
  return [...top, ...inside.map((name) => `parse/${name}`)].map((path) =>
    structural(path, path, 'a directory of the fixture layout', 'an unknown one'),
  )
}

/** Names in a directory; undefined when there is none. Notes in Markdown may lie anywhere. */
async function entriesOf(directory: string): Promise<string[] | undefined> {
  const names = await readdir(directory).catch(() => undefined)
  return names?.filter((name) => !name.endsWith('.md')).sort()
}

/** Ids name cases in reports, so one that names two is a fault of the fixtures. */
function repeatedIds(results: readonly CaseResult[]): CaseResult[] {
  const seen = new Set<string>()
  return results.map((entry) => {
    const repeated = seen.has(entry.id)
    seen.add(entry.id)
    return repeated ? { ...entry, failure: { expected: 'an id of its own', actual: `${entry.id} again` } } : entry
  })
}
