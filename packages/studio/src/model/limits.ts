/** Every bound of this package that its callers do not pass in. */
export const limits = {
  /** Bytes of the largest file that is opened or saved. */
  fileBytes: 2 * 1024 * 1024,
  /** Bytes of the largest body of a request: a trace that is to be judged. */
  bodyBytes: 32 * 1024 * 1024,
  /** Files of the folder that are listed. */
  files: 5000,
  /** Entries of folders that are looked at for them: a home folder has millions. */
  entries: 200_000,
  /** Folders below each other that are looked into. */
  depth: 12,
  /** Earlier texts that are kept for undo, of all files together. */
  undo: 100,
  /** Characters of events that are kept for tabs that come back. */
  replayCharacters: 16 * 1024 * 1024,
  /** Events that are kept for tabs that come back. */
  replayEvents: 20_000,
  /** Characters of messages of suites that run which are kept for tabs that come later. */
  liveCharacters: 64 * 1024 * 1024,
  /** Results that are listed, the newest first. */
  results: 200,
  /** Messages of a trace that are shown. */
  traceEntries: 50_000,
  /** Messages of a trace whose proof is shown, for each indicator. */
  traceVerdicts: 1000,
  /** Bytes that a tab may lag behind before it is cut off. */
  lagBytes: 64 * 1024 * 1024,
  /** Milliseconds between two lines that only say that the server is there. */
  beatMs: 15_000,
} as const
