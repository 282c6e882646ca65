/** An InjecAgent case, as in its data files and recorded outputs. */
import { type FieldsOf, parseJson, shapes } from '@joust/source'

const { list, object, required, text } = shapes

export const caseFields = {
  'Attacker Tools': required(list(text)),
  'Attacker Instruction': required(text),
  'Attack Type': required(text),
  'User Tool': required(text),
  'User Instruction': required(text),
  'Tool Response Template': required(text),
  'Tool Response': required(text),
}
export interface InjecCase extends FieldsOf<typeof caseFields> {}
export const caseShape = object(caseFields, 'any')

/** The two kinds of cases, by the abbreviation in file names. */
export const kinds = { dh: 'direct harm', ds: 'data stealing' } as const
export type InjecKind = keyof typeof kinds

/** Returns the name of a case, such as `dh-base-0001`. */
export function caseName(kind: InjecKind, set: string, index: number): string {
  return `${kind}-${set}-${String(index + 1).padStart(4, '0')}`
}

export function caseId(name: string): string {
  return `INJECAGENT-${name.toUpperCase()}`
}

/** Returns the result of the user's tool, decoded if it is a JSON string. */
export function answerText(written: string): string {
  const json = parseJson(written)
  if (typeof json === 'string') return json
  return written.startsWith('"') && written.endsWith('"') ? written.slice(1, -1) : written
}
