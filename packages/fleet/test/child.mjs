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
  const run = async ({ file, trial, spend }) => {
    say(`begin ${file} ${trial}`)
    if (file === 'poison') process.kill(process.pid, 'SIGKILL')
    await sleep(delayMs)
    spend({ inputTokens: 10, outputTokens: 5 })
    say(`end ${file} ${trial}`)
    return { wire: { client: 'server' }, limits: { graceMs: 0 } }
  }
  const prepare = async ({ setup }) => {
    const missing = (setup.needs ?? []).find((variable) => process.env[variable] === undefined)
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
