/** Limits of `joust aim`. */
export const aimLimits = {
  /** Maximum number of servers in a configuration. */
  servers: 64,
  /** Maximum number of tools per server. Further tools are omitted with a note. */
  tools: 10_000,
  /** Maximum number of pages per list. */
  pages: 200,
  /** Maximum number of repeated listings of a server whose tools change during the listing. */
  relistings: 3,
  /** Timeout of a request to a server, in milliseconds. */
  answerMs: 10_000,
  /** Maximum number of sources in flows, and of private tools and sinks. */
  stepTools: 60,
  /** Maximum number of listed flows. */
  flows: 2_000,
  /** Maximum number of tools per server in a document, in addition to the tools of the flow. */
  mirroredTools: 8,
  /** Maximum length of a mirrored description, in characters. */
  mirroredText: 2_000,
  /** Maximum size of a mirrored schema as JSON, in bytes. */
  mirroredSchema: 20_000,
  /** Maximum number of candidates to try per requested document. */
  triesPerDocument: 3,
  /** Maximum number of tools per labelling request to a model. */
  toolsPerQuestion: 40,
  /** Timeout of a request to a model, in milliseconds. */
  modelMs: 120_000,
} as const
