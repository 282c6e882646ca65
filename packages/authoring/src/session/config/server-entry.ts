/** A server in a configuration: a command with its arguments, or an address. */
export interface ServerEntry {
  readonly name: string
  readonly command?: readonly string[]
  readonly url?: string
  /** The folder in which the command runs, if the entry names one. */
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** True for the deprecated HTTP+SSE transport. */
  readonly isOldTransport?: boolean
  /** True if the server is disabled. */
  readonly isOff?: boolean
}
