/** Checks the documents of `parse/`. Each invalid document has a `.meta.yaml` file. */
import { parse } from '@joust/oatf'
import { isRecord, own, readSource } from '@joust/source'
import { type CaseResult, type Failure, judge, readFixture, structural } from './case.ts'

const SIDECAR = '.meta.yaml'

export async function runCorpus(root: string, directory: string, files: readonly string[]): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const file of files) {
    const id = `${directory}/${file}`
    const base = file.endsWith(SIDECAR) ? file.slice(0, -SIDECAR.length) : undefined
    if (base !== undefined && directory === 'parse/invalid' && files.includes(`${base}.yaml`)) continue
    if (base !== undefined || !file.endsWith('.yaml')) {
      results.push(structural(directory, id, 'a .yaml document', 'another file'))
      continue
    }
    const text = await readFixture(root, id)
    if (text === undefined) {
      results.push(structural(directory, id, 'a readable file', 'unreadable'))
      continue
    }
    const sidecar = file.replace(/\.yaml$/, SIDECAR)
    const meta = files.includes(sidecar) ? await readFixture(root, `${directory}/${sidecar}`) : undefined
    const check = directory === 'parse/valid' ? () => checkValid(text) : () => checkInvalid(text, meta)
    results.push(judge({ directory, file: id, id, name: '' }, check))
  }
  return results
}

function checkValid(text: string): Failure | undefined {
  const parsed = parse(text)
  if (parsed.ok) return undefined
  const [first] = parsed.error
  return { expected: 'a document', actual: `${first?.message} at ${first?.path ?? `line ${first?.line}`}` }
}

function checkInvalid(text: string, sidecar: string | undefined): Failure | undefined {
  if (sidecar === undefined) return { expected: `a ${SIDECAR} file for the document`, actual: 'missing' }
  const reason = expectedError(sidecar)
  if (reason === undefined) return { expected: `only expected_error in the ${SIDECAR} file`, actual: sidecar }
  return parse(text).ok ? { expected: `a parse error: ${reason}`, actual: 'a document' } : undefined
}

/** Reads the expected error. The official schema defines it as prose, so it cannot be compared. */
function expectedError(sidecar: string): string | undefined {
  const source = readSource(sidecar)
  if (!source.ok || !isRecord(source.value.value)) return undefined
  const reason = own(source.value.value, 'expected_error')
  return typeof reason === 'string' && Object.keys(source.value.value).length === 1 ? reason : undefined
}
