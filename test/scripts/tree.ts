import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder with these files, by path; it is removed when the test ends. */
export function makeTree(files: { readonly [path: string]: string }): string {
  const root = mkdtempSync(join(tmpdir(), 'joust-tree-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** A copy of some folders of a repository, which the test may damage. */
export function copyTree(from: string, folders: readonly string[]): string {
  const root = makeTree({})
  for (const folder of folders) cpSync(join(from, folder), join(root, folder), { recursive: true })
  return root
}
