/**
 * A worker or coordinator that logs each event as a line; in its own process, or in that of the test.
 */

/**
 * @param {Record<string, any>} options role and behaviour
 * @param {{ openFleet: typeof import('@joust/fleet').openFleet, knownShapes: typeof import('@joust/results').knownShapes }} packages
 * @param {(line: string) => void} say
 * @param {AbortSignal} signal stops it
 */
export async function participate(options, { openFleet, knownShapes }, say, signal) {
  const { role, url, spec } = options
  const fleet = await openFleet(url, { tell: (message) => say(`message ${message}`) })
  if (role === 'coordinator') await coordinate(fleet, spec, say, signal)
  else await work(fleet, options, knownShapes, say, signal)
  await fleet.close()
  say('closed')
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
  const { name, delayMs = 50, leaseMs = 1500, room = 2, drain = false, preflight, busy = 0, has = [] } = options
  let tries = 0
  const run = async ({ file, trial, spend, isPreflight }) => {
    if (isPreflight) return preflightOptions()
    say(`begin ${file} ${trial}`)
    if (file === 'poison') process.kill(process.pid, 'SIGKILL')
    await sleep(delayMs)
    spend({ inputTokens: 10, outputTokens: 5 })
    say(`end ${file} ${trial}`)
    tries += 1
    if (tries <= busy) return { target: { name: 'it', start: () => Promise.reject(new Error('status 429')) } }
    return { wire: { client: 'server' }, limits: { graceMs: 0 } }
  }
  /** The options of the preflight; requested twice, the second time to run it. */
  let requests = 0
  const preflightOptions = async () => {
    requests += 1
    if (preflight === undefined) return { wire: { client: 'server' } }
    if (requests === 2) say('preflight')
    if (requests === 2 && preflight === 'kills') process.kill(process.pid, 'SIGKILL')
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve))
    if (requests === 2) await Promise.race([sleep(delayMs), stopped])
    return { target: { name: 'it', preflight: 'tool_call', start: () => Promise.reject(new Error('no model')) } }
  }
  const prepare = async ({ setup }) => {
    const missing = (setup.needs ?? []).find((variable) => !has.includes(variable))
    return missing === undefined
      ? { ok: true, value: { redactor: knownShapes(), run } }
      : { ok: false, error: `it needs ${missing}` }
  }
  say('ready')
  const tell = (message) => say(`message ${message}`)
  const working = fleet.work({ name, concurrency: room, leaseMs, drain, signal, prepare, tell })
  for await (const { run: key, entered } of working)
    say(`${entered} ${key.file}${key.arm === 'attack' ? '' : ` ${key.arm}`} ${key.trial}`)
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
