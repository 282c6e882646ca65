import { resolve } from 'node:path'
import { err, isList, isRecord, ok, own, type Result, readSource } from '@joust/source'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'

type ByName = (request: { readonly target: string }) => { readonly approved: boolean; readonly reason: string }

/** Parses `none`, `all`, or a file that lists names to approve (`approve: [tool, …]`); other requests are denied. */
export async function readApprovals(given: string, io: Io): Promise<Result<'none' | 'all' | ByName, string>> {
  if (given === 'none') return ok('none')
  if (given === 'all') return ok('all')
  const text = await readText(resolve(io.cwd, given), io)
  if (!text.ok) return err(`--approve ${given}: ${text.error.message}; expected none, all or a file`)
  const source = readSource(text.value)
  const listed = source.ok && isRecord(source.value.value) ? own(source.value.value, 'approve') : undefined
  if (!isList(listed) || !listed.every((name) => typeof name === 'string')) {
    return err(`--approve ${given}: the file must have the key "approve" with a list of names`)
  }
  const names = new Set(listed)
  return ok(({ target }) => ({
    approved: names.has(target),
    reason: names.has(target) ? `listed in ${given}` : `not listed in ${given}`,
  }))
}
