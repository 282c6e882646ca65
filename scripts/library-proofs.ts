/**
 * `docs/generated/library-proofs.json`: the positive control of the library, so that `joust run library` needs none.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runPositiveControl } from '@joust/adaptive'
import { needsOf } from '@joust/arena'
import { load } from '@joust/oatf'
import { simulationVersion } from '@joust/sim'
import { findSimulatedHost } from '@joust/targets'
import { formattedJson } from './generated-text.ts'
import type { Page } from './render-tables.ts'

/**
 * Runs the library documents against simulated agents. Throws if one does not exploit the credulous agent. If a
 * document's host requires a program that is not installed, the existing entry is kept.
 */
export async function libraryProofs(root: string): Promise<Page> {
  const folder = join(root, 'library')
  const files = readdirSync(folder).filter((file) => file.endsWith('.oatf.yaml'))
  const attacks = files.sort().map((file) => {
    const loaded = load(readFileSync(join(folder, file), 'utf8'))
    if (!loaded.ok) throw new Error(`library/${file} is invalid: ${JSON.stringify(loaded.error)}`)
    return { file, attack: loaded.value }
  })
  const kept = new Map(entriesOf(join(root, FILE)).map((entry) => [entry.fingerprint, entry]))
  const isKept = ({ attack }: (typeof attacks)[number]) =>
    findSimulatedHost(needsOf(attack))?.missing?.() !== undefined && kept.has(attack.fingerprint)
  const results = await runPositiveControl(attacks.filter((one) => !isKept(one)))
  const proofs = attacks.map((one) => {
    const { file, attack } = one
    const { fingerprint } = attack
    if (isKept(one)) {
      console.warn(`SKIPPED: proof of library/${file}: missing ${findSimulatedHost(needsOf(attack))?.missing?.()}`)
      return kept.get(fingerprint)
    }
    const { proven, unspecific } = results.get(fingerprint) ?? { proven: false, unspecific: false }
    if (!proven) throw new Error(`library/${file} is not proven: joust prove library/${file} shows why`)
    return { file, fingerprint, ...(unspecific && { unspecific }) }
  })
  return {
    file: FILE,
    text: formattedJson({ joust_library_proofs: 1, simulation: simulationVersion, proofs }),
  }
}

const FILE = 'docs/generated/library-proofs.json'

interface Entry {
  readonly file: string
  readonly fingerprint: string
  readonly unspecific?: boolean
}

/** Returns the entries of the file if this version of the simulations created them. */
function entriesOf(file: string): readonly Entry[] {
  if (!existsSync(file)) return []
  const { simulation, proofs }: { simulation: number; proofs: readonly Entry[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  return simulation === simulationVersion ? proofs : []
}
