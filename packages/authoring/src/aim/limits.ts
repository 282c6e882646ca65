/** Limits of `joust aim`. */
export const aimLimits = {
  /** Servers of a configuration. */
  servers: 64,
  /** Tools of one server; more are omitted with a note. */
  tools: 10_000,
  /** Pages of a list. */
  pages: 200,
  /** Repeated listings of a server whose tools change during the listing. */
  relistings: 3,
  /** Timeout of a request to a server, in milliseconds. */
  answerMs: 10_000,
  /** Maximum number of sources, of private tools and of sinks in flows. */
  stepTools: 60,
  /** Maximum number of listed flows. */
  flows: 2_000,
  /** Number of tools of a server in a document, not counting the tools of the flow. */
  mirroredTools: 8,
  /** Characters of a mirrored description. */
  mirroredText: 2_000,
  /** Bytes of a mirrored schema as JSON. */
  mirroredSchema: 20_000,
  /** Candidates to try for each requested document. */
  triesPerDocument: 3,
  /** Tools that a model labels in one request. */
  toolsPerQuestion: 40,
  /** Timeout of a request to a model, in milliseconds. */
  modelMs: 120_000,
} as const
