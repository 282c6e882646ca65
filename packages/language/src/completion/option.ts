import { defined } from '@joust/source'
import { schemaKeywords, schemaText } from '../grammar/json-schema.ts'
import type { Completion } from '../model.ts'

/** Something that could be written at a place, before its spelling there is known. */
export type Option = Omit<Completion, 'edit'>

/** Options of one kind from plain words. */
export function optionsOf(labels: Iterable<string>, kind: Option['kind'], detail?: string): Option[] {
  return [...labels].map((label) => defined({ label, kind, detail }))
}

/** A key, with its description. */
export function keyOption(label: string, detail: string, about?: string): Option {
  return defined({ label, kind: 'key' as const, detail, about: about || undefined })
}

/** Each label once; the first of two options with the same label counts. */
export function distinct(options: readonly Option[]): Option[] {
  const seen = new Set<string>()
  return options.filter(({ label }) => !seen.has(label) && seen.add(label))
}

/** The keywords of JSON Schema. */
export function schemaOptions(): Option[] {
  return schemaKeywords.map((label) => keyOption(label, 'JSON Schema', schemaText([label])))
}
