/** Fixed limits of this package. */
export const limits = {
  /** Bytes of a file that is opened or saved. */
  fileBytes: 2 * 1024 * 1024,
  /** Bytes of a request body; the largest bodies are traces to judge. */
  bodyBytes: 32 * 1024 * 1024,
  /** Files of the folder that are listed. */
  files: 5000,
  /** Folder entries that are examined for files. */
  entries: 200_000,
  /** Depth of the folders that are searched. */
  depth: 12,
  /** Undo steps of all files together. */
  undo: 100,
  /** Characters of messages in a suite that are kept in memory for live views. */
  liveCharacters: 64 * 1024 * 1024,
  /** Listed results, newest first. */
  results: 200,
  /** Overviews of results that are kept in memory. */
  overviews: 4,
  /** Messages shown per trace. */
  traceEntries: 50_000,
  /** Message verdicts shown per indicator. */
  traceVerdicts: 1000,
  /** Milliseconds in which changes of a suite are combined into one event. */
  changeMs: 50,
} as const
