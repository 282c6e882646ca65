/** A server in a configuration, with a command or a URL. */
export interface ServerEntry {
  readonly name: string
  readonly command?: readonly string[]
  readonly url?: string
  /** The folder in which the command runs, if specified. */
  readonly cwd?: string
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** True for the deprecated HTTP+SSE transport. */
  readonly isOldTransport?: boolean
  /** True if the server is disabled. */
  readonly isOff?: boolean
}
