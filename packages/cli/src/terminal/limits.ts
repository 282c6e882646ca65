/** Limits of the command that no option changes. */
export const commandLimits = {
  /** Maximum delay of the exit while a user's module has open handles, in milliseconds. */
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
  /** Milliseconds by which a turn times out before its run, so that the failure reason includes the output. */
  aheadMs: 200,
  /** Maximum length of a call's arguments when approval is requested, in characters. */
  approvalCharacters: 10_000,
  /** Maximum size of a chat file, and of the chat questions on standard input, in bytes. */
  chatBytes: 16 * 1024 * 1024,
  /** Maximum size of the list of reports in a folder, in bytes. */
  reportListBytes: 65_536,
  /** Maximum size of an existing report that may be replaced, in bytes. */
  reportBytes: 1024 ** 3,
  /** Maximum size of a file in a target's identity, in bytes; larger files are programs, which change rarely. */
  identityBytes: 4 * 1024 * 1024,
  /** Maximum number of alternatives in a glob; each group in `{a,b}{a,b}…` doubles them. */
  globAlternatives: 1000,
  /** Maximum number of source files that `joust init` reads. */
  initFiles: 200,
  /** Maximum depth of folders that `joust init` searches. */
  initDepth: 3,
  /** Maximum size of a file that `joust init` reads, in bytes. */
  initBytes: 4 * 1024 * 1024,
  /** Maximum number of documents that `joust init` reads. */
  initDocuments: 500,
  /** Maximum number of errors in database rows to print. */
  rowFaults: 20,
  /** Maximum number of agent files that the language server reads in a folder. */
  languageFiles: 2000,
  /** Maximum size of a benchmark file in bytes. */
  importBytes: 256 * 1024 * 1024,
  /** Maximum size of a file with OpenTelemetry spans, in bytes. */
  spanBytes: 256 * 1024 * 1024,
  /** Maximum number of errors in a benchmark to print. */
  importFaults: 20,
  /** Maximum length of the end of a command's output that the studio shows, in characters. */
  studioCharacters: 100_000,
} as const
