/** Limits of the command that no option changes. */
export const commandLimits = {
  /** Maximum delay of the exit in milliseconds while a user's module has open handles. */
  lingeringMs: 1000,
  /** Milliseconds without a change before watched attacks run again: editors write a file in several steps. */
  quietMs: 150,
  /** Milliseconds before a message about a running positive control is printed. */
  controlMs: 1000,
  /** Timeout of a run of the demo in milliseconds. */
  demoRunMs: 30_000,
  /** Milliseconds between two queries for a followed campaign. */
  followMs: 500,
  /** Milliseconds between two lines about a followed campaign without a terminal. */
  followLineMs: 5000,
  /** Milliseconds by which a turn times out before its run, so that the reason includes the output. */
  aheadMs: 200,
  /** Characters of a call's arguments shown for approval. */
  approvalCharacters: 10_000,
  /** Bytes of a chat file, or of chat questions on standard input. */
  chatBytes: 16 * 1024 * 1024,
  /** Bytes of the list of reports in a folder. */
  reportListBytes: 65_536,
  /** Bytes of an existing report that may be replaced. */
  reportBytes: 1024 ** 3,
  /** Bytes of a file that is part of a target's identity; larger files are programs, which change rarely. */
  identityBytes: 4 * 1024 * 1024,
  /** Alternatives in a glob with braces; `{a,b}{a,b}…` doubles with each group. */
  globAlternatives: 1000,
  /** Source files that `joust init` reads. */
  initFiles: 200,
  /** Depth of folders that `joust init` searches. */
  initDepth: 3,
  /** Bytes of a file that `joust init` reads. */
  initBytes: 4 * 1024 * 1024,
  /** Documents that `joust init` reads. */
  initDocuments: 500,
  /** Maximum number of printed errors in database rows. */
  rowFaults: 20,
  /** Agent files in a folder that the language server reads. */
  languageFiles: 2000,
  /** Bytes of a benchmark file. */
  importBytes: 256 * 1024 * 1024,
  /** Bytes of a file with OpenTelemetry spans. */
  spanBytes: 256 * 1024 * 1024,
  /** Maximum number of printed errors in a benchmark. */
  importFaults: 20,
  /** Last characters of a command's output that the studio shows. */
  studioCharacters: 100_000,
} as const
