/** Every bound of the command that no option sets. */
export const commandLimits = {
  /** Milliseconds by which something that a user's own module keeps open may delay the end. */
  lingeringMs: 1000,
  /** Milliseconds without a change before watched attacks are run again: editors write a file in several steps. */
  quietMs: 150,
  /** Milliseconds that a run of the demo may last. */
  demoRunMs: 30_000,
  /** Milliseconds between two looks at a campaign that is followed. */
  followMs: 500,
  /** Milliseconds between two lines about it, when not on a terminal. */
  followLineMs: 5000,
  /** Milliseconds that a turn of a command ends before its run, so that what was printed becomes part of the reason. */
  aheadMs: 200,
  /** Characters of the arguments of a call that are shown to whoever approves it. */
  approvalCharacters: 10_000,
  /** Bytes of the list of reports in a folder. */
  reportListBytes: 65_536,
  /** Bytes of a report that is replaced. */
  reportBytes: 1024 ** 3,
  /** Bytes of a file that identifies a target; a larger one is a program, not something that is edited between runs. */
  identityBytes: 4 * 1024 * 1024,
  /** Alternatives that the braces of a glob may make; `{a,b}{a,b}…` doubles each time. */
  globAlternatives: 1000,
  /** Files of code that `joust init` looks at. */
  initFiles: 200,
  /** The depth of nested folders that it searches. */
  initDepth: 3,
  /** Bytes of a file that it looks at. */
  initBytes: 4 * 1024 * 1024,
  /** Documents that it looks at. */
  initDocuments: 500,
  /** Faults of rows of a database that are printed. */
  rowFaults: 20,
  /** Agent files in a folder that the language server searches. */
  languageFiles: 2000,
  /** Characters from the end of what a command prints that the studio shows. */
  studioCharacters: 100_000,
} as const
