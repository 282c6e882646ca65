/**
 * A worker or a coordinator, which reports each thing it does in a line; in a process of its own, or as a guest in a
 * test's.
 */

/**
 * @param {Record<string, any>} options what it is, and how it behaves
 * @param {{ openFleet: typeof import('@joust/fleet').openFleet, knownShapes: typeof import('@joust/arena').knownShapes }} packages
 * @param {(line: string) => void} say
 * @param {AbortSignal} signal when it is to go
 */
export async function takePart(options, { openFleet, knownShapes }, say, signal) {
  const { role, url, spec } = options
  const fleet = await openFleet(url, { tell: (message) => say(`told ${message}`) })
  if (role === 'coordinator') await coordinate(fleet, spec, say, signal)
  else await work(fleet, options, knownShapes, say, signal)
  await fleet.close()
  say('over')
}

async function coordinate(fleet, spec, say, signal) {
  say(`submitted ${await fleet.submit(spec)}`)
  while (!signal.aborted) {
    const { open } = await fleet.status(spec.name)
    say(`open ${open}`)
    if (open === 0) return
    await sleep(100)
  }
}

async function work(fleet, options, knownShapes, say, signal) {
  const { name, delayMs = 50, leaseMs = 1500, room = 2, drain = false, control, busy = 0, has = [] } = options
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
  /** The options of the control; they are asked for twice, the second time to run it. */
  let asked = 0
  const controlled = async () => {
    asked += 1
    if (control === undefined) return { wire: { client: 'server' } }
    if (asked === 2) say('control')
    if (asked === 2 && control === 'kills') process.kill(process.pid, 'SIGKILL')
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve))
    if (asked === 2) await Promise.race([sleep(delayMs), stopped])
    return { target: { name: 'it', control: 'tool_call', start: () => Promise.reject(new Error('no model')) } }
  }
  const prepare = async ({ setup }) => {
    const missing = (setup.needs ?? []).find((variable) => !has.includes(variable))
    return missing === undefined
      ? { ok: true, value: { redactor: knownShapes(), run } }
      : { ok: false, error: `it needs ${missing}` }
  }
  say('ready')
  const tell = (message) => say(`told ${message}`)
  const working = fleet.work({ name, concurrency: room, leaseMs, drain, signal, prepare, tell })
  for await (const { run: made, entered } of working) say(`${entered} ${made.file} ${made.trial}`)
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
