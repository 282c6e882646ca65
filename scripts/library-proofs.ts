/** `docs/generated/library-proofs.json`: the positive control of the library, so that `joust run library` needs none. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runPositiveControl } from '@joust/adaptive'
import { load } from '@joust/oatf'
import { simulationVersion } from '@joust/sim'
import { formattedJson } from './generated-text.ts'
import type { Page } from './render-tables.ts'

/** Runs the documents of the library against simulated agents. Throws if one does not exploit the credulous agent. */
export async function libraryProofs(root: string): Promise<Page> {
  const folder = join(root, 'library')
  const files = readdirSync(folder).filter((file) => file.endsWith('.oatf.yaml'))
  const attacks = files.sort().map((file) => {
    const loaded = load(readFileSync(join(folder, file), 'utf8'))
    if (!loaded.ok) throw new Error(`library/${file} is not valid: ${JSON.stringify(loaded.error)}`)
    return { file, attack: loaded.value }
  })
  const results = await runPositiveControl(attacks)
  const proofs = attacks.map(({ file, attack: { fingerprint } }) => {
    const { proven, unspecific } = results.get(fingerprint) ?? { proven: false, unspecific: false }
    if (!proven) throw new Error(`library/${file} is not proven: joust prove library/${file} shows why`)
    return { file, fingerprint, ...(unspecific && { unspecific }) }
  })
  return {
    file: 'docs/generated/library-proofs.json',
    text: formattedJson({ joust_library_proofs: 1, simulation: simulationVersion, proofs }),
  }
}
