/** Fixed limits of this package. */
export const limits = {
  /** Bytes of a file that is opened or saved. */
  fileBytes: 2 * 1024 * 1024,
  /** Bytes of a request body. The largest bodies are traces to judge. */
  bodyBytes: 32 * 1024 * 1024,
  /** Listed files in the folder. */
  files: 5000,
  /** Folder entries searched for files. */
  entries: 200_000,
  /** Depth of the folders that are searched. */
  depth: 12,
  /** Undo steps for all files together. */
  undo: 100,
  /** Characters of messages in a suite kept in memory for live views. */
  liveCharacters: 64 * 1024 * 1024,
  /** Listed results, newest first. */
  results: 200,
  /** Overviews of results that are kept in memory. */
  overviews: 4,
  /** Messages shown per trace. */
  traceEntries: 50_000,
  /** Message verdicts shown per indicator. */
  traceVerdicts: 1000,
  /** Milliseconds in which suite changes are combined into one event. */
  changeMs: 50,
} as const
