/** Who answers when the agent asks for approval during an attack. */
import { resolve } from 'node:path'
import { err, isList, isRecord, ok, own, type Result, readSource } from '@joust/source'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'

/** Decides by the name of a tool, agent or skill. */
type ByName = (request: { readonly target: string }) => { readonly approved: boolean; readonly reason: string }

/** `none`, `all`, or a file that lists what is approved: `approve: [tool, …]`. Everything else is denied. */
export async function readApprovals(given: string, io: Io): Promise<Result<'none' | 'all' | ByName, string>> {
  if (given === 'none') return ok('none')
  if (given === 'all') return ok('all')
  const text = await readText(resolve(io.cwd, given), io)
  if (!text.ok) return err(`--approve ${given}: ${text.error.message}; it expects none, all or a file`)
  const source = readSource(text.value)
  const listed = source.ok && isRecord(source.value.value) ? own(source.value.value, 'approve') : undefined
  if (!isList(listed) || !listed.every((name) => typeof name === 'string')) {
    return err(`--approve ${given}: the file must say "approve:" and a list of names`)
  }
  const names = new Set(listed)
  return ok(({ target }) => ({
    approved: names.has(target),
    reason: names.has(target) ? `listed in ${given}` : `not listed in ${given}`,
  }))
}
