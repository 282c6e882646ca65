/** The built page and its scripts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ClientFile {
  readonly type: string
  readonly bytes: Buffer
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** All of them, by path; undefined where nothing was built. */
export function readClient(folder: string): ReadonlyMap<string, ClientFile> | undefined {
  try {
    const names = readdirSync(folder).filter((name) => Object.hasOwn(types, endingOf(name)))
    const files = names.map((name) => [`/${name}`, fileOf(folder, name)] as const)
    return names.includes('index.html') ? new Map(files) : undefined
  } catch {
    return undefined
  }
}

/** Where the page takes the nonce of its styles from. */
export const NONCE_PLACE = '__NONCE__'

function fileOf(folder: string, name: string): ClientFile {
  return { type: types[endingOf(name)] ?? '', bytes: readFileSync(join(folder, name)) }
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
