import picocolors from 'picocolors'
import type { Io } from '../terminal/io.ts'

/** Functions that colour text, or leave it as it is where colours are not wanted. */
export type Colours = ReturnType<typeof picocolors.createColors>

/** `NO_COLOR` and `FORCE_COLOR` decide, else whether the stream is a terminal. */
export function coloursFor(io: Io, stream: 'stdout' | 'stderr'): Colours {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  const wanted =
    FORCE_COLOR !== undefined && FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : io[stream].isTTY && TERM !== 'dumb'
  return picocolors.createColors(wanted && !NO_COLOR)
}
