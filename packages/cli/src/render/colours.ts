import picocolors from 'picocolors'
import type { Io } from '../terminal/io.ts'

/** Functions that colour text, or return it unchanged if colours are disabled. */
export type Colours = ReturnType<typeof picocolors.createColors>

/** Colours for a stream: enabled on a terminal, unless `NO_COLOR` or `FORCE_COLOR` decide. */
export function coloursFor(io: Io, stream: 'stdout' | 'stderr'): Colours {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  const isEnabled =
    FORCE_COLOR !== undefined && FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : io[stream].isTTY && TERM !== 'dumb'
  return picocolors.createColors(isEnabled && !NO_COLOR)
}
