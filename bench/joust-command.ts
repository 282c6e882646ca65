/** Runs the command of this checkout and reads its results. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The relevant results of `joust run` for one document. */
interface AttackOutcome {
  readonly file: string
  readonly outcome: string
  readonly verdict?: {
    readonly result: string
    readonly indicator_verdicts: readonly { readonly indicator_id: string; readonly result: string }[]
  }
}

/** Runs the command and returns its output. */
export function joust(...words: readonly string[]): string {
  const command = [join(root, 'packages/cli/bin/joust.js'), ...words]
  return spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1e9 }).stdout
}

/** Runs documents and returns their outcomes. */
export function outcomesOf(documents: string, target: readonly string[]): readonly AttackOutcome[] {
  const out = mkdtempSync(join(tmpdir(), 'public-library-'))
  joust('run', documents, ...target, '--out', out, '--report', 'json', '--quiet')
  // The shape of Joust's own results.
  const { targets } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as {
    targets: readonly { attacks: readonly AttackOutcome[] }[]
  }
  rmSync(out, { recursive: true })
  return targets.flatMap((one) => one.attacks)
}
