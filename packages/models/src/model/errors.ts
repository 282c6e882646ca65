/** Errors of the network and file system. */

export type ModelsErrorCode =
  | 'port_in_use'
  | 'listen_failed'
  | 'upstream_invalid'
  | 'recording_failed'
  | 'recording_missing'
  | 'closed'

export class ModelsError extends Error {
  readonly code: ModelsErrorCode

  constructor(code: ModelsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ModelsError'
    this.code = code
  }
}
