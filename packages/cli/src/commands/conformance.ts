/** `joust conformance DIR`: runs the official fixtures against the SDK. */
import { resolve } from 'node:path'
import { type CaseResult, layoutParts, runConformance } from '@joust/conformance'
import { printable } from '@joust/source'
import { isDirectory } from '../input/discover.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Lists every failure by id, then the counts per directory, then `N passed, N failed`. */
export async function conformance(directory: string, io: Io): Promise<number> {
  const root = resolve(io.cwd, directory)
  if (!isDirectory(root)) return wrongUsage([`${directory} is not a directory`], io)
  if ((await layoutParts(root)).length === 0) {
    const message = `${directory} contains no fixtures: expected parse/, validate/ or another directory of the suite`
    return wrongUsage([message], io)
  }
  const results = await runConformance(root)
  for (const result of results) if (result.failure !== undefined) io.stdout.write(describeFailure(result))
  for (const name of new Set(results.map((result) => result.directory))) {
    const own = results.filter((result) => result.directory === name)
    const failed = own.filter((result) => result.failure !== undefined).length
    io.stdout.write(`${printable(name).padEnd(16)}${own.length - failed} passed, ${failed} failed\n`)
  }
  const failed = results.filter((result) => result.failure !== undefined).length
  io.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? exitCodes.ok : exitCodes.findings
}

function describeFailure({ id, file, name, failure }: CaseResult): string {
  const head = [`FAIL ${id}`, ...(file === id ? [] : [file]), ...(name === '' ? [] : [name])].join('  ')
  const lines = [head, `  expected: ${failure?.expected}`, `  actual:   ${failure?.actual}`]
  return `${lines.map(printable).join('\n')}\n`
}
