// A worker or a coordinator as a process of its own, so that it can be killed. Uses built packages; prints a line for
// each thing it does.
import { takePart } from './member.mjs'

const { shiftMs = 0, ...options } = JSON.parse(process.argv[2])
if (shiftMs !== 0) {
  const now = Date.now
  Date.now = () => now() + shiftMs
}
const { openFleet } = await import('@joust/fleet')
const { knownShapes } = await import('@joust/arena')
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
await takePart(options, { openFleet, knownShapes }, (line) => console.log(line), stop.signal)
process.exit()
