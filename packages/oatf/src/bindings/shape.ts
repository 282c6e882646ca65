/**
 * The shape of a protocol message, as plain data. It defines the paths that exist. Unlike the shapes in
 * `@joust/source`, it validates nothing, because attacks may send invalid messages.
 */
export type Shape =
  | { readonly kind: 'number' | 'boolean' | 'open' }
  /** `usual` contains the values that the protocol lists; if `closed` is set, only these are allowed. */
  | { readonly kind: 'text'; readonly usual?: readonly string[]; readonly closed?: true }
  | { readonly kind: 'constant'; readonly value: string }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'fields'; readonly required: Fields; readonly optional: Fields }
  | { readonly kind: 'choice'; readonly of: readonly Shape[] }

export type Fields = { readonly [name: string]: Shape }

export interface MessageShapes {
  readonly surface: string
  readonly by: 'client' | 'server' | 'either'
  /** The request content: `params`, or an AG-UI input. */
  readonly request?: Shape
  /** The response content: `result`, an Agent Card, a streamed item or an event. */
  readonly response?: Shape
  /** True if a failed request is answered with a JSON-RPC error. */
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
export const open: Shape = { kind: 'open' }

/** Creates the shape for a string in an open enumeration. */
export function usualValues(...words: readonly string[]): Shape {
  return { kind: 'text', usual: words }
}

/** Creates the shape for a string in a closed enumeration. */
export function oneOf(...words: readonly string[]): Shape {
  return { kind: 'text', usual: words, closed: true }
}

export function constant(value: string): Shape {
  return { kind: 'constant', value }
}

export function list(of: Shape): Shape {
  return { kind: 'list', of }
}

export function fields(required: Fields, optional: Fields = {}): Shape {
  return { kind: 'fields', required, optional }
}

/** Creates a choice of several shapes, most common first. */
export function choice(...of: readonly Shape[]): Shape {
  return { kind: 'choice', of }
}
