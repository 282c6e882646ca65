/** The process between an agent and a stdio server, which passes bytes on once the recorder has a copy. */
import { basename } from 'node:path'
import { recordLimits } from './limits.ts'

/** The Node.js program that runs the shim. A single executable application cannot run it. */
const NODE = /^node(?:js)?(?:\.exe)?$/.test(basename(process.execPath)) ? process.execPath : 'node'

/** Returns the command that replaces a server's command. */
export function shimWords(socket: string, server: string, command: readonly string[]): readonly [string, ...string[]] {
  return [NODE, '--input-type=module', '--eval', SHIM, '--', socket, server, ...command]
}

/** The kinds of frames from the shim. Each frame has a four-byte length and is acknowledged with one byte. */
export const frameKinds = { hello: 0, caller: 1, callee: 2, ended: 3 } as const

// A string instead of a module, so that it works from sources, packages and the packed command alike. If the recorder
// ends, bytes are still passed on, so that the agent is not affected.
const SHIM = `
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
const [path, server, command, ...args] = process.argv.slice(process.argv[1] === '--' ? 2 : 1)
const waiting = []
let isRecording = false
const release = () => { isRecording = false; for (const next of waiting.splice(0)) next() }
const tape = connect(path)
await new Promise((resolve) => {
  tape.once('connect', () => { isRecording = true; resolve() })
  tape.once('error', (error) => {
    process.stderr.write('joust record: ' + server + ' is not recorded: ' + error.message + '\\n')
    resolve()
  })
})
tape.on('error', release)
tape.on('close', release)
tape.on('data', (acknowledged) => { for (const _ of acknowledged) waiting.shift()?.() })
const send = (kind, bytes) => new Promise((resolve) => {
  if (!isRecording) return resolve()
  const head = Buffer.alloc(5)
  head.writeUInt8(kind)
  head.writeUInt32BE(bytes.length, 1)
  waiting.push(resolve)
  tape.write(Buffer.concat([head, bytes]))
})
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
const ended = new Promise((resolve) => {
  child.once('error', (error) => {
    process.stderr.write(error.code === 'ENOENT' ? 'spawn ' + command + ' ENOENT\\n' : error.message + '\\n')
    resolve({ code: 127 })
  })
  child.once('exit', (code, signal) => resolve({ code, signal }))
})
await send(${frameKinds.hello}, Buffer.from(JSON.stringify({ server, pid: child.pid ?? null })))
const pass = async (from, to, kind) => {
  to.on('error', () => from.destroy())
  try {
    for await (const bytes of from) {
      await send(kind, bytes)
      if (to.destroyed) break
      if (!to.write(bytes)) await new Promise((resolve) => { to.once('drain', resolve); to.once('close', resolve) })
    }
  } catch {}
}
const input = pass(process.stdin, child.stdin, ${frameKinds.caller}).then(() => {
  child.stdin.end()
  // A server that ignores the end of its input would outlive the agent.
  setTimeout(() => child.kill('SIGTERM'), ${recordLimits.serverEndMs}).unref()
  setTimeout(() => child.kill('SIGKILL'), ${recordLimits.serverEndMs * 2}).unref()
})
const output = pass(child.stdout, process.stdout, ${frameKinds.callee})
const { code, signal } = await ended
await output
await send(${frameKinds.ended}, Buffer.from(JSON.stringify({ code, signal })))
tape.end()
process.stdin.destroy()
if (signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
} else {
  process.exitCode = code ?? 1
  if (process.stdout.writableLength > 0) await new Promise((resolve) => process.stdout.write('', resolve))
  process.exit()
}
`
