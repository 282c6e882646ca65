/** A small language for the shape of `results.json`: reading, writing, redacting and its JSON Schema all follow one table. */

/** What a value must be. */
export type Shape =
  /** `text` is ours or an identifier; `prose` may hold what an agent, a document or a user said. */
  | { readonly kind: 'text' | 'prose' | 'number' | 'boolean' | 'time' }
  | { readonly kind: 'count'; readonly least: number }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'exactly'; readonly value: number }
  | { readonly kind: 'list'; readonly item: Shape }
  /** Any keys, all of one shape. */
  | { readonly kind: 'map'; readonly item: Shape }
  | ObjectShape

/** An object with fields of its own, written in this order. */
export interface ObjectShape {
  readonly kind: 'object'
  /** How the schema names it. */
  readonly name?: string
  readonly about?: string
  readonly fields: { readonly [name: string]: ShapeField }
}

/** A field: its shape, and whether it may be left out. */
export interface ShapeField {
  readonly shape: Shape
  readonly optional: boolean
}

export const text: Shape = { kind: 'text' }
export const prose: Shape = { kind: 'prose' }
export const number: Shape = { kind: 'number' }
export const boolean: Shape = { kind: 'boolean' }
export const time: Shape = { kind: 'time' }

/** A whole number from `least` on. */
export const count = (least = 0): Shape => ({ kind: 'count', least })
export const oneOf = (...values: readonly string[]): Shape => ({ kind: 'one-of', values })
export const list = (item: Shape): Shape => ({ kind: 'list', item })
export const map = (item: Shape): Shape => ({ kind: 'map', item })
export const required = (shape: Shape): ShapeField => ({ shape, optional: false })
export const optional = (shape: Shape): ShapeField => ({ shape, optional: true })

/** An object; with a name, the schema defines it once. */
export function object(fields: ObjectShape['fields'], name?: string, about?: string): ObjectShape {
  return {
    kind: 'object',
    fields,
    ...(name === undefined ? {} : { name }),
    ...(about === undefined ? {} : { about }),
  }
}
