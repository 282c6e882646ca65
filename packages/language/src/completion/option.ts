import { defined } from '@joust/source'
import { schemaKeywords, schemaText } from '../grammar/json-schema.ts'
import type { Completion } from '../model.ts'

export type Option = Omit<Completion, 'edit'>

export function optionsOf(labels: Iterable<string>, kind: Option['kind'], detail?: string): Option[] {
  return [...labels].map((label) => defined({ label, kind, detail }))
}

export function keyOption(label: string, detail: string, about?: string): Option {
  return defined({ label, kind: 'key' as const, detail, about: about || undefined })
}

export function distinct(options: readonly Option[]): Option[] {
  const labels = new Set<string>()
  return options.filter(({ label }) => !labels.has(label) && labels.add(label))
}

export function schemaOptions(): Option[] {
  return schemaKeywords.map((label) => keyOption(label, 'JSON Schema', schemaText([label])))
}
