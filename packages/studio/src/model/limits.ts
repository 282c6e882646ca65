/** Fixed limits of this package. */
export const limits = {
  /** Maximum size in bytes of a file that is opened or saved. */
  fileBytes: 2 * 1024 * 1024,
  /** Maximum size of a request body in bytes. The largest bodies are traces to judge. */
  bodyBytes: 32 * 1024 * 1024,
  /** Maximum number of listed files in the folder. */
  files: 5000,
  /** Maximum number of folder entries that are searched for files. */
  entries: 200_000,
  /** Maximum depth of the folders that are searched. */
  depth: 12,
  /** Maximum number of undo steps for all files together. */
  undo: 100,
  /** Maximum number of message characters that are kept in memory for the live views of a suite. */
  liveCharacters: 64 * 1024 * 1024,
  /** Maximum number of listed results, newest first. */
  results: 200,
  /** Maximum number of overviews of results that are kept in memory. */
  overviews: 4,
  /** Maximum number of messages shown per trace. */
  traceEntries: 50_000,
  /** Maximum number of message verdicts shown per indicator. */
  traceVerdicts: 1000,
  /** Milliseconds during which suite changes are combined into one event. */
  changeMs: 50,
} as const
