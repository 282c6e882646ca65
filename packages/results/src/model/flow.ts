/** Data flows: values that reached the agent and occur in the arguments of its later calls. */

/**
 * Origins of a value. `untrusted`: text that others can write. `private`: the result of a tool that reads private data.
 * `user`: a message from the user.
 */
export const flowKinds = ['untrusted', 'private', 'user'] as const

export type FlowKind = (typeof flowKinds)[number]

/** Recognized encodings of a value. */
export const flowEncodings = ['json', 'percent', 'html', 'base64', 'hex', 'reversed'] as const

export type FlowEncoding = (typeof flowEncodings)[number]

/** The part of a value in an argument: all of it, a distinctive part, or pieces in several arguments of one call. */
export const flowExtents = ['whole', 'part', 'split'] as const

/** A message, and the name of the tool, resource, prompt or agent that it belongs to. */
export interface FlowPlace {
  readonly seq: number
  readonly actor: string
  readonly name: string
}

/** A value in the arguments of a later call. */
export interface Flow {
  readonly kind: FlowKind
  readonly from: FlowPlace
  /** The receiving call. `argument` is a path within its arguments, or several paths separated by commas. */
  readonly to: FlowPlace & { readonly argument: string }
  /** Encodings, starting with the outermost. Absent for plain text. */
  readonly encodings?: readonly FlowEncoding[]
  readonly extent: (typeof flowExtents)[number]
  /** The value or part, decoded and possibly shortened. */
  readonly text: string
  /** Number of identical flows. Absent if there is only one. `from` and `to` belong to the first flow. */
  readonly times?: number
}
