import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that exists for one test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'joust-cassette-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Everything that was written into a folder. */
export function textIn(path: string): string {
  return readdirSync(path)
    .map((file) => readFileSync(join(path, file), 'utf8'))
    .join('')
}
