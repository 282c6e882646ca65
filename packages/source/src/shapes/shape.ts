/**
 * A small language for the shape of documents: checking, writing in order and JSON Schemas all follow one table. What
 * protocol messages can hold is in another (`bindings` of `@joust/oatf`): it checks nothing, only paths are looked up.
 */
import { defined, isRecord, type Value } from '../model/value.ts'

export type Shape =
  /** `text` is ours or an identifier; `prose` may hold what an agent, a document or a user said. */
  | { readonly kind: 'value' | 'text' | 'prose' | 'integer' | 'number' | 'boolean' | 'date' | 'time' }
  | { readonly kind: 'count'; readonly least: number }
  | { readonly kind: 'exactly'; readonly value: number }
  | { readonly kind: 'enumeration'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: Shape }
  /** One of a shape, or a list of them. */
  | { readonly kind: 'some'; readonly item: Shape }
  /** Any keys, all of one shape. */
  | { readonly kind: 'map'; readonly item: Shape }
  | ObjectShape
  | Choice

/** One shape for mappings, with at least one of some keys where they are given, and one for everything else. */
export interface Choice {
  readonly kind: 'choice'
  readonly keys?: readonly string[]
  readonly mapping: Shape
  readonly other: Shape
}

/** An object with fields of its own, written in this order. */
export interface ObjectShape {
  readonly kind: 'object'
  readonly fields: { readonly [name: string]: Field }
  /** Which other fields it may have: none, those that start with `x-`, any, or any when read but none when written. */
  readonly others: 'none' | 'extensions' | 'any' | 'later'
  /** How a JSON Schema names it. */
  readonly name?: string
  /** What a JSON Schema says about it. */
  readonly about?: string
  /** What to say about fields that belong elsewhere. */
  readonly elsewhere?: { readonly [name: string]: string }
}

export interface Field {
  readonly shape: Shape
  readonly required?: true
  /** The validation rule that a wrong or missing value of this field would break. */
  readonly rule?: string
  /** What it is for, in a sentence. */
  readonly about?: string
}

/** The shape that a choice makes for a value. */
export function chosen({ keys, mapping, other }: Choice, value: Value): Shape {
  if (!isRecord(value)) return other
  return keys === undefined || keys.some((key) => Object.hasOwn(value, key)) ? mapping : other
}

const optional = (shape: Shape, about?: string, rule?: string): Field => defined({ shape, about, rule })
const required = (...given: Parameters<typeof optional>): Field => ({ ...optional(...given), required: true })

/** The words of the language. */
export const shapes = {
  value: { kind: 'value' },
  text: { kind: 'text' },
  prose: { kind: 'prose' },
  integer: { kind: 'integer' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  /** A whole number from `least` on. */
  count: (least = 0): Shape => ({ kind: 'count', least }),
  exactly: (value: number): Shape => ({ kind: 'exactly', value }),
  enumeration: (values: readonly string[]): Shape => ({ kind: 'enumeration', values }),
  list: (item: Shape): Shape => ({ kind: 'list', item }),
  some: (item: Shape): Shape => ({ kind: 'some', item }),
  map: (item: Shape): Shape => ({ kind: 'map', item }),
  choice: (mapping: Shape, other: Shape, keys?: readonly string[]): Shape =>
    defined({ kind: 'choice' as const, mapping, other, keys }),
  object: (
    fields: ObjectShape['fields'],
    others: ObjectShape['others'] = 'none',
    more: Pick<ObjectShape, 'name' | 'about' | 'elsewhere'> = {},
  ): ObjectShape => ({ kind: 'object', fields, others, ...more }),
  required,
  optional,
} as const satisfies Record<string, Shape | ((...given: never[]) => Shape | Field)>
