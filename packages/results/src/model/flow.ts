/** Data flows of a run: values that reached the agent, in the arguments of its later calls. */

/**
 * Origins of a value. `untrusted`: a text that others can write. `private`: an answer from a tool for private data.
 * `user`: a message from the user.
 */
export const flowKinds = ['untrusted', 'private', 'user'] as const

export type FlowKind = (typeof flowKinds)[number]

/** Encodings in which a value is recognized. */
export const flowEncodings = ['json', 'percent', 'html', 'base64', 'hex', 'reversed'] as const

export type FlowEncoding = (typeof flowEncodings)[number]

/** The amount of a value in an argument: all of it, a distinctive part, or pieces in several arguments of one call. */
export const flowExtents = ['whole', 'part', 'split'] as const

/** A message, and the tool, resource, prompt or agent that it belongs to. */
export interface FlowPlace {
  readonly seq: number
  readonly actor: string
  readonly name: string
}

/** A value in the arguments of a later call. */
export interface Flow {
  readonly kind: FlowKind
  readonly from: FlowPlace
  /** The receiving call; `argument` is a path below the arguments, or several separated by commas. */
  readonly to: FlowPlace & { readonly argument: string }
  /** The encodings, the outermost first; absent for plain text. */
  readonly encodings?: readonly FlowEncoding[]
  readonly extent: (typeof flowExtents)[number]
  /** The value or the part, decoded and possibly shortened. */
  readonly text: string
  /** The number of equal flows, if more than one; the places are from the first flow. */
  readonly times?: number
}
