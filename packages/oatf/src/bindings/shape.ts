/**
 * What a message can hold by its specification; plain data, so that tables read like the wire. Unlike the shapes of
 * `@joust/source` these check nothing, since attacks may send what no specification allows: they say where paths lead.
 */
export type Shape =
  | { readonly kind: 'number' | 'boolean' | 'open' }
  /** `usual` are the words that the protocol lists; `closed` where it has no others. An attack may say anything. */
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
  /** Who sends the request, or the notification. */
  readonly by: 'client' | 'server' | 'either'
  /** `params`, an AG-UI input. */
  readonly request?: Shape
  /** `result`, an Agent Card, a streamed item or event. */
  readonly response?: Shape
  /** Whether a failure is answered by a JSON-RPC error, which is then the message. */
  readonly fails?: true
  /** Whether hardly any exchange does without it. */
  readonly usual?: true
  /** Where to find the text that people and models write to each other. */
  readonly requestText?: string
  readonly responseText?: string
}

export const text: Shape = { kind: 'text' }
export const number: Shape = { kind: 'number' }
export const flag: Shape = { kind: 'boolean' }
/** A place where anything may be. */
export const open: Shape = { kind: 'open' }

/** A text for which the protocol lists words, and allows others. */
export function usually(...words: readonly string[]): Shape {
  return { kind: 'text', usual: words }
}

/** A text that is one of a closed list of words. */
export function oneOf(...words: readonly string[]): Shape {
  return { kind: 'text', usual: words, closed: true }
}

/** A text that is always the same. */
export function constant(value: string): Shape {
  return { kind: 'constant', value }
}

/** A list whose items all have one shape. */
export function list(of: Shape): Shape {
  return { kind: 'list', of }
}

/** An object; what the protocol does not demand comes second. */
export function fields(required: Fields, optional: Fields = {}): Shape {
  return { kind: 'fields', required, optional }
}

/** One of several; the most ordinary comes first. */
export function choice(...of: readonly Shape[]): Shape {
  return { kind: 'choice', of }
}
