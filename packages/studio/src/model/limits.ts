/** Every bound of this package that its callers do not pass in. */
export const limits = {
  /** Bytes of the largest file that is opened or saved. */
  fileBytes: 2 * 1024 * 1024,
  /** Bytes of the largest body of a request: a trace that is to be judged. */
  bodyBytes: 32 * 1024 * 1024,
  /** Files of the folder that are listed. */
  files: 5000,
  /** Folder entries that are looked at to find them: a home folder has millions. */
  entries: 200_000,
  /** The depth of nested folders that are searched. */
  depth: 12,
  /** Earlier texts that are kept for undo, for all files together. */
  undo: 100,
  /** Characters of messages of a suite that are kept for whoever watches its runs. */
  liveCharacters: 64 * 1024 * 1024,
  /** Results that are listed, the newest first. */
  results: 200,
  /** Messages of a trace that are shown. */
  traceEntries: 50_000,
  /** Messages of a trace whose verdict is shown, per indicator. */
  traceVerdicts: 1000,
  /** Milliseconds in which several changes of a suite are told as one. */
  changeMs: 50,
} as const
