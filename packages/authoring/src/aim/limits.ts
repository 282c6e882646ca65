/** Limits of `joust aim`. */
export const aimLimits = {
  /** Servers in a configuration. */
  servers: 64,
  /** Tools per server. Others are omitted with a note. */
  tools: 10_000,
  /** Pages per list. */
  pages: 200,
  /** Repeated listings of a server whose tools change during the listing. */
  relistings: 3,
  /** Timeout of a request to a server, in milliseconds. */
  answerMs: 10_000,
  /** Sources, private tools and sinks in flows, each. */
  stepTools: 60,
  /** Listed flows. */
  flows: 2_000,
  /** Tools per server in a document, in addition to the tools of the flow. */
  mirroredTools: 8,
  /** Characters of a mirrored description. */
  mirroredText: 2_000,
  /** Bytes of a mirrored schema as JSON. */
  mirroredSchema: 20_000,
  /** Candidates to try per requested document. */
  triesPerDocument: 3,
  /** Tools per labelling request to a model. */
  toolsPerQuestion: 40,
  /** Timeout of a request to a model, in milliseconds. */
  modelMs: 120_000,
} as const
