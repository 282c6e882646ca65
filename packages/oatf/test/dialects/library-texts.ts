import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const library = join(import.meta.dirname, '../../../../library')

/** The documents of the library. */
export function texts(): { readonly name: string; readonly text: string }[] {
  return readdirSync(library)
    .filter((name) => name.endsWith('.oatf.yaml'))
    .map((name) => ({ name, text: readFileSync(join(library, name), 'utf8') }))
}
