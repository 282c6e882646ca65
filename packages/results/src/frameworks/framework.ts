/** Frameworks of attack techniques, which documents reference in `classification.mappings`. */

/** A technique. `outOfReach` is the reason why no attack over a protocol that Joust supports can try it. */
export type FrameworkRow = readonly [id: string, title: string, outOfReach?: string]

export interface Framework {
  /** Name of the framework in documents. */
  readonly name: string
  readonly title: string
  /** Version or date of the list. */
  readonly version: string
  /** Alternative names in user input. */
  readonly aliases: readonly string[]
  readonly rows: readonly FrameworkRow[]
}

/** Normalizes an id for comparisons: `ASI-07`, `asi07` and `ASI07:2026` are one technique. */
export function techniqueKey(id: string): string {
  const [, letters = '', digits = ''] = /^([A-Za-z]+)-?(\d{1,2})(?::\d{4})?$/.exec(id) ?? []
  return letters === '' ? id.toUpperCase() : `${letters.toUpperCase()}${digits.padStart(2, '0')}`
}

/** True if `id` is the wanted technique or a sub-technique, such as `AML.T0051.001` of `AML.T0051`. */
export function isTechnique(id: string, wanted: string): boolean {
  const [key, of] = [techniqueKey(id), techniqueKey(wanted)]
  return key === of || key.startsWith(`${of}.`)
}
