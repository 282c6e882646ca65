// A worker or a coordinator as a process of its own, so that it can be killed. Built packages; prints a line for each thing it does.
const {
  role,
  url,
  name,
  spec,
  delayMs = 50,
  leaseMs = 1500,
  shiftMs = 0,
  room = 2,
  drain = false,
  control,
  busy = 0,
  has = [],
} = JSON.parse(process.argv[2])
if (shiftMs !== 0) {
  const now = Date.now
  Date.now = () => now() + shiftMs
}
const { openFleet } = await import('@joust/fleet')
const { knownShapes } = await import('@joust/arena')
const say = (line) => console.log(line)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const fleet = await openFleet(url, { tell: (message) => say(`told ${message}`) })

if (role === 'coordinator') {
  say(`submitted ${await fleet.submit(spec)}`)
  for (;;) {
    const status = await fleet.status(spec.name)
    say(`open ${status.open}`)
    if (status.open === 0) break
    await sleep(100)
  }
} else {
  const stop = new AbortController()
  process.on('SIGTERM', () => stop.abort())
  let tries = 0
  const run = async ({ file, trial, spend, isControl }) => {
    if (isControl) return controlled()
    say(`begin ${file} ${trial}`)
    if (file === 'poison') process.kill(process.pid, 'SIGKILL')
    await sleep(delayMs)
    spend({ inputTokens: 10, outputTokens: 5 })
    say(`end ${file} ${trial}`)
    tries += 1
    if (tries <= busy) return { target: { name: 'it', start: () => Promise.reject(new Error('status 429')) } }
    return { wire: { client: 'server' }, limits: { graceMs: 0 } }
  }
  /** The options of the control; it asks for them twice, the second time to play it. */
  let asked = 0
  const controlled = async () => {
    asked += 1
    if (control === undefined) return { wire: { client: 'server' } }
    if (asked === 2) say('control')
    if (asked === 2 && control === 'kills') process.kill(process.pid, 'SIGKILL')
    const stopped = new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
    if (asked === 2) await Promise.race([sleep(delayMs), stopped])
    return { target: { name: 'it', control: 'tool_call', start: () => Promise.reject(new Error('no model')) } }
  }
  const prepare = async ({ setup }) => {
    const missing = (setup.needs ?? []).find((variable) => !has.includes(variable))
    return missing === undefined
      ? { ok: true, value: { redactor: knownShapes(), run } }
      : { ok: false, error: `it needs ${missing}` }
  }
  const options = { name, concurrency: room, leaseMs, drain, signal: stop.signal, prepare }
  say('ready')
  for await (const { run: made, entered } of fleet.work({ ...options, tell: (message) => say(`told ${message}`) })) {
    say(`${entered} ${made.file} ${made.trial}`)
  }
}
await fleet.close()
say('over')
process.exit()
