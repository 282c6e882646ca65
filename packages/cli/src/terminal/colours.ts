import picocolors from 'picocolors'

/** Functions that colour text, or return it unchanged if colours are disabled. */
export type Colours = ReturnType<typeof picocolors.createColors>

interface Terminal {
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdout: { readonly isTTY: boolean }
  readonly stderr: { readonly isTTY: boolean }
}

/** Returns the colours for a stream: enabled on a terminal, unless `NO_COLOR` or `FORCE_COLOR` decides. */
export function coloursFor(io: Terminal, stream: 'stdout' | 'stderr'): Colours {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  const isEnabled =
    FORCE_COLOR !== undefined && FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : io[stream].isTTY && TERM !== 'dumb'
  return picocolors.createColors(isEnabled && !NO_COLOR)
}
