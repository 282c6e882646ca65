/**
 * Measures the effect of `joust migrate` on documents: the number of changed documents, preserved comments and
 * remaining findings.
 */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { joust } from './joust-command.ts'

export interface Migrated {
  readonly documents: number
  readonly changed: number
  /** Documents that a second migration changes again. */
  readonly unstable: number
  readonly comments: number
  /** Comments that were not preserved unchanged. */
  readonly lost: number
  /** Remaining strict findings: documents by code. */
  readonly findings: ReadonlyMap<string, ReadonlySet<string>>
  readonly counts: ReadonlyMap<string, number>
  /** `error` or `warning` by code. Errors make the command fail. */
  readonly levels: ReadonlyMap<string, string>
}

/** Migrates copies of all documents in the folders. */
export function migrate(folders: readonly string[]): Migrated {
  const copies = mkdtempSync(join(tmpdir(), 'migrated-'))
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.ya?ml$/.test(file) || (basename(file) !== 'attack.yaml' && !basename(file).startsWith('OATF-'))) continue
      const name = basename(file) === 'attack.yaml' ? `${basename(dirname(file))}.yaml` : basename(file)
      copyFileSync(join(folder, file), join(copies, name))
    }
  }
  const names = readdirSync(copies)
  const texts = () => names.map((name) => readFileSync(join(copies, name), 'utf8'))
  const written = texts()
  joust('migrate', copies, '--write')
  const once = texts()
  joust('migrate', copies, '--write')
  const twice = texts()
  const differing = (a: readonly string[], b: readonly string[]) => a.filter((text, index) => text !== b[index]).length
  const found = [...findingsOf('validate', copies), ...findingsOf('lint', copies)]
  rmSync(copies, { recursive: true })
  return {
    documents: names.length,
    changed: differing(written, once),
    unstable: differing(once, twice),
    comments: written.flatMap(commentsIn).length,
    lost: written.flatMap((text, index) => lostFrom(commentsIn(text), commentsIn(once[index] ?? ''))).length,
    findings: groupBy(found),
    counts: new Map([...groupBy(found).keys()].map((code) => [code, found.filter((one) => one.code === code).length])),
    levels: new Map(found.map(({ code, level }) => [code, level])),
  }
}

interface Finding {
  readonly code: string
  readonly level: string
  readonly document: string
}

function findingsOf(command: 'validate' | 'lint', folder: string): Finding[] {
  const lines = joust(command, '--strict', folder).split('\n')
  return lines.flatMap((line) => {
    const [, file, level, code] = /^(.*?):\d+:\d+ {2}(error|warning) ([A-Z]-\d+)/.exec(line) ?? []
    // Lint repeats the findings of `validate` for an invalid document.
    if (
      file === undefined ||
      level === undefined ||
      code === undefined ||
      (command === 'lint') === code.startsWith('V-')
    )
      return []
    return [{ code, level, document: basename(file, '.yaml') }]
  })
}

function groupBy(found: readonly Finding[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>()
  for (const { code, document } of found) groups.set(code, (groups.get(code) ?? new Set()).add(document))
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function commentsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)(#.*)$/gm)].map(([, comment = '']) => comment)
}

function lostFrom(before: readonly string[], after: readonly string[]): string[] {
  const rest = [...after]
  return before.filter((comment) => {
    const at = rest.indexOf(comment)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}
