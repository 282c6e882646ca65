// A worker or coordinator in its own process, so that it can be killed. Uses the built packages; prints a line for each
// event.
import { participate } from './participant.mjs'

const { shiftMs = 0, ...options } = JSON.parse(process.argv[2])
if (shiftMs !== 0) {
  const now = Date.now
  Date.now = () => now() + shiftMs
}
const { openFleet } = await import('@joust/fleet')
const { knownShapes } = await import('@joust/results')
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
await participate(options, { openFleet, knownShapes }, (line) => console.log(line), stop.signal)
process.exit()
