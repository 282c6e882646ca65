/** Bounds of the studio. */
export const limits = {
  /** The largest file that is opened or saved. */
  fileBytes: 2 * 1024 * 1024,
  /** The largest body of a request: a trace that is to be judged. */
  bodyBytes: 32 * 1024 * 1024,
  /** Files of the folder that are listed. */
  files: 5000,
  /** Folders below each other that are looked into. */
  depth: 12,
  /** Earlier texts that are kept for undo, of all files together. */
  undo: 100,
  /** What is kept for tabs that come back, in characters and events. */
  replayCharacters: 16 * 1024 * 1024,
  replayEvents: 20_000,
  /** Messages of suites that run which are kept for tabs that come later. */
  liveCharacters: 64 * 1024 * 1024,
  /** Results that are listed, the newest first. */
  results: 200,
  /** Messages of a trace that are shown. */
  traceEntries: 50_000,
  /** How far a tab may lag behind before it is cut off, in bytes. */
  lagBytes: 64 * 1024 * 1024,
} as const
