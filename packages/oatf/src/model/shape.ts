/** A small language for the shape of documents: what `parse` checks and the order in which `serialize` writes. */
import type { Value } from '@joust/source'

export type Shape =
  | { readonly kind: 'value' | 'text' | 'integer' | 'number' | 'boolean' | 'date' }
  | { readonly kind: 'enumeration'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'map'; readonly item: Shape }
  | ObjectShape
  | { readonly kind: 'choice'; readonly choose: (value: Value) => Shape }

export interface ObjectShape {
  readonly kind: 'object'
  readonly fields: { readonly [name: string]: Field }
  /** Which other fields there may be: none, those that start with `x-`, or any. */
  readonly others: 'none' | 'extensions' | 'any'
}

export interface Field {
  readonly shape: Shape
  readonly required?: true
  /** The validation rule that a wrong or missing value of this field would break. */
  readonly rule?: string
  /** Another rule that it would break as well. */
  readonly alsoRule?: string
}

export const value: Shape = { kind: 'value' }
export const text: Shape = { kind: 'text' }
export const integer: Shape = { kind: 'integer' }
export const number: Shape = { kind: 'number' }
export const boolean: Shape = { kind: 'boolean' }
export const date: Shape = { kind: 'date' }

export const enumeration = (values: readonly string[]): Shape => ({ kind: 'enumeration', values })
export const list = (item: Shape): Shape => ({ kind: 'list', item })
export const map = (item: Shape): Shape => ({ kind: 'map', item })
export const choice = (choose: (value: Value) => Shape): Shape => ({ kind: 'choice', choose })

export const object = (
  fields: { readonly [name: string]: Field },
  others: ObjectShape['others'] = 'none',
): ObjectShape => ({ kind: 'object', fields, others })

export const optional = (shape: Shape, rule?: string): Field => (rule === undefined ? { shape } : { shape, rule })
export const required = (shape: Shape, rule?: string): Field =>
  rule === undefined ? { shape, required: true } : { shape, required: true, rule }
