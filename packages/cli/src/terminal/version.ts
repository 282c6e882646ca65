import { readFileSync } from 'node:fs'
import { assets } from './assets.ts'

/** The version of this package. */
export function version(): string {
  // Our own file.
  return (JSON.parse(readFileSync(assets.manifest, 'utf8')) as { readonly version: string }).version
}
