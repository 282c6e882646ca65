/**
 * The shape of a message in its protocol, as plain data. Unlike the shapes of `@joust/source`, it validates nothing, since
 * attacks may send invalid messages; it defines the existing paths.
 */
export type Shape =
  | { readonly kind: 'number' | 'boolean' | 'open' }
  /** `usual` are the values that the protocol lists; `closed` if it allows no others. */
  | { readonly kind: 'text'; readonly usual?: readonly string[]; readonly closed?: true }
  | { readonly kind: 'constant'; readonly value: string }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'fields'; readonly required: Fields; readonly optional: Fields }
  | { readonly kind: 'choice'; readonly of: readonly Shape[] }

/** Fields by name. */
export type Fields = { readonly [name: string]: Shape }

/** The messages of one operation. */
export interface MessageShapes {
  readonly surface: string
  /** The sender of the request or notification. */
  readonly by: 'client' | 'server' | 'either'
  /** The content of a request: `params`, or an AG-UI input. */
  readonly request?: Shape
  /** The content of a response: `result`, an Agent Card, a streamed item or an event. */
  readonly response?: Shape
  /** True if the response to a failure is a JSON-RPC error. */
  readonly fails?: true
  /** True if the operation occurs in almost every run. */
  readonly usual?: true
  /** The path of the natural-language text. */
  readonly requestText?: string
  readonly responseText?: string
}

export const text: Shape = { kind: 'text' }
export const number: Shape = { kind: 'number' }
export const flag: Shape = { kind: 'boolean' }
/** A shape that allows any value. */
export const open: Shape = { kind: 'open' }

/** A text of an open enumeration. */
export function usualValues(...words: readonly string[]): Shape {
  return { kind: 'text', usual: words }
}

/** A text of a closed enumeration. */
export function oneOf(...words: readonly string[]): Shape {
  return { kind: 'text', usual: words, closed: true }
}

/** A constant text. */
export function constant(value: string): Shape {
  return { kind: 'constant', value }
}

/** A list of items of one shape. */
export function list(of: Shape): Shape {
  return { kind: 'list', of }
}

/** An object with required and optional fields. */
export function fields(required: Fields, optional: Fields = {}): Shape {
  return { kind: 'fields', required, optional }
}

/** One of several shapes, the most common first. */
export function choice(...of: readonly Shape[]): Shape {
  return { kind: 'choice', of }
}
