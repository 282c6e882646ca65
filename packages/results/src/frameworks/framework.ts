/** Frameworks of techniques, which documents refer to in `classification.mappings`. */

/** A technique: id, title and, if no attack over a protocol of Joust can try it, the reason. */
export type FrameworkRow = readonly [id: string, title: string, outOfReach?: string]

/** A framework with all of its techniques. */
export interface Framework {
  /** The name of the framework in documents. */
  readonly name: string
  readonly title: string
  /** The version or date of the list. */
  readonly version: string
  /** Other names of the framework, as users type them. */
  readonly aliases: readonly string[]
  readonly rows: readonly FrameworkRow[]
}

/** The form of an id in comparisons: `ASI-07`, `asi07` and `ASI07:2026` are one technique. */
export function techniqueKey(id: string): string {
  const [, letters = '', digits = ''] = /^([A-Za-z]+)-?(\d{1,2})(?::\d{4})?$/.exec(id) ?? []
  return letters === '' ? id.toUpperCase() : `${letters.toUpperCase()}${digits.padStart(2, '0')}`
}

/** True if a technique is the wanted one or one of its sub-techniques, such as `AML.T0051.001` of `AML.T0051`. */
export function isTechnique(id: string, wanted: string): boolean {
  const [key, of] = [techniqueKey(id), techniqueKey(wanted)]
  return key === of || key.startsWith(`${of}.`)
}
