/**
 * Document shapes, declared once for validation, serialization order and JSON Schema. The fields of protocol messages
 * are declared in `bindings` of `@joust/oatf`.
 */
import { defined, isRecord, type Value } from '../model/value.ts'

/** A shape, and the type of its values. */
export type Shape<T = unknown> = Kind & Typed<T>

/** The type of the values. Exists only at compile time. */
interface Typed<T> {
  readonly type?: T
}

type Scalar = 'value' | 'text' | 'prose' | 'integer' | 'number' | 'boolean' | 'date' | 'time'

type Kind =
  /**
   * A scalar. `text` is a fixed string or an identifier; `prose` may contain words of an agent, a document or a user.
   */
  | { readonly kind: Scalar }
  /** An integer, or one of several words. */
  | { readonly kind: 'count'; readonly least: number; readonly words?: readonly string[] }
  | { readonly kind: 'exactly'; readonly value: number }
  | { readonly kind: 'enumeration'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: Shape }
  /** One item, or a list of items. */
  | { readonly kind: 'some'; readonly item: Shape }
  /** A mapping with any keys, whose values have one shape. */
  | { readonly kind: 'map'; readonly item: Shape }
  | ObjectShape
  | Choice

/** One shape for mappings (with at least one of `keys`, if present), and a different shape for all other values. */
export interface Choice {
  readonly kind: 'choice'
  readonly keys?: readonly string[]
  readonly mapping: Shape
  readonly other: Shape
}

/** An object with fixed fields, which are written in the given order. */
export interface ObjectShape<T = unknown> extends Typed<T> {
  readonly kind: 'object'
  readonly fields: Fields
  /** Other fields: none, those that start with `x-`, any, or any when reading but none when writing. */
  readonly others: 'none' | 'extensions' | 'any' | 'later'
  /** The name of the shape in JSON Schema. */
  readonly name?: string
  /** The description of the shape in JSON Schema. */
  readonly about?: string
  /** Hints for fields that belong elsewhere. */
  readonly elsewhere?: { readonly [name: string]: string }
}

type Fields = { readonly [name: string]: Field }

export interface Field<T = unknown> {
  readonly shape: Shape<T>
  readonly required?: true
  /** The validation rule that an invalid or missing value violates. */
  readonly rule?: string
  /** The purpose of the field, in one sentence. */
  readonly about?: string
}

export interface RequiredField<T = unknown> extends Field<T> {
  readonly required: true
}

export interface OptionalField<T = unknown> extends Field<T> {
  readonly required?: never
}

/** The type of a mapping with these fields. */
export type FieldsOf<F> = {
  readonly [K in keyof F as F[K] extends RequiredField ? K : never]: TypeOf<F[K]>
} & {
  readonly [K in keyof F as F[K] extends RequiredField ? never : K]?: TypeOf<F[K]>
}

type TypeOf<F> = F extends Field<infer T> ? T : never

/** Returns the shape that a choice selects for a value. */
export function chosen({ keys, mapping, other }: Choice, value: Value): Shape {
  if (!isRecord(value)) return other
  return keys === undefined || keys.some((key) => Object.hasOwn(value, key)) ? mapping : other
}

const optional = <T>(shape: Shape<T>, about?: string, rule?: string): OptionalField<T> =>
  defined({ shape, about, rule })
const required = <T>(shape: Shape<T>, about?: string, rule?: string): RequiredField<T> => ({
  ...optional(shape, about, rule),
  required: true,
})

const of = <T>(kind: Scalar): Shape<T> => ({ kind })

/** Constructors of shapes and fields. */
export const shapes = {
  value: of<Value>('value'),
  text: of<string>('text'),
  prose: of<string>('prose'),
  integer: of<number | bigint>('integer'),
  number: of<number | bigint>('number'),
  boolean: of<boolean>('boolean'),
  date: of<string>('date'),
  time: of<string>('time'),
  /** An integer of at least `least`. */
  count: (least = 0): Shape<number> => ({ kind: 'count', least }),
  /** An integer of at least `least`, or a word. */
  countOr: <T extends string>(least: number, words: readonly T[]): Shape<number | T> => ({
    kind: 'count',
    least,
    words,
  }),
  exactly: <T extends number>(value: T): Shape<T> => ({ kind: 'exactly', value }),
  enumeration: <T extends string>(values: readonly T[]): Shape<T> => ({ kind: 'enumeration', values }),
  list: <T>(item: Shape<T>): Shape<readonly T[]> => ({ kind: 'list', item }),
  some: <T>(item: Shape<T>): Shape<T | readonly T[]> => ({ kind: 'some', item }),
  map: <T>(item: Shape<T>): Shape<{ readonly [name: string]: T }> => ({ kind: 'map', item }),
  choice: <A, B>(mapping: Shape<A>, other: Shape<B>, keys?: readonly string[]): Shape<A | B> =>
    defined({ kind: 'choice' as const, mapping, other, keys }),
  object: <F extends Fields>(
    fields: F,
    others: ObjectShape['others'] = 'none',
    more: Pick<ObjectShape, 'name' | 'about' | 'elsewhere'> = {},
  ): ObjectShape<FieldsOf<F>> => ({ kind: 'object', fields, others, ...more }),
  required,
  optional,
}
