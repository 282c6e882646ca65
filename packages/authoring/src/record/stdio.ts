/** Receives copies of stdio traffic from the shims between an agent and its servers. */
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createLineSplitter } from '@joust/io'
import { ownText, readJson } from '@joust/source'
import { createDialogue, type Dialogue, type Side } from './dialogue.ts'
import { recordLimits } from './limits.ts'
import { frameKinds } from './shim.ts'
import type { Tape } from './tape.ts'

interface StdioRecorder {
  /** The socket path, for `shimWords`. */
  readonly path: string
  /** Closes all connections. Traffic continues unrecorded. Never rejects. */
  close(): Promise<void>
}

/** Listens on a socket in a private folder. Rejects with a system error. */
export async function startStdioRecorder(folder: string, tape: Tape): Promise<StdioRecorder> {
  const isWindows = process.platform === 'win32'
  const path = isWindows ? `\\\\.\\pipe\\joust-${crypto.randomUUID()}` : join(folder, 'tape')
  const sockets = new Set<Socket>()
  const dialogues = new Map<string, Dialogue>()
  let connections = 0
  let isClosed = false
  const server = createServer((socket) => {
    sockets.add(socket)
    connections += 1
    const connection = createConnection(`stdio ${connections}`, (name) => {
      const dialogue = dialogues.get(name) ?? createDialogue({ name, mode: 'mcp_server' }, tape)
      dialogues.set(name, dialogue)
      return dialogue
    })
    const frames = createFrameReader((kind, bytes) => {
      connection.take(kind, bytes)
      socket.write(ACKNOWLEDGED)
    })
    socket.on('data', frames)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (!isClosed) connection.close()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    path,
    async close() {
      isClosed = true
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const ACKNOWLEDGED = Uint8Array.of(1)

/** Creates the connection of one shim. */
function createConnection(exchange: string, dialogueOf: (name: string) => Dialogue) {
  let dialogue: Dialogue | undefined
  let pid: number | undefined
  let isEnded = false
  const splitters: Record<Side, ReturnType<typeof createLineSplitter>> = {
    caller: createLineSplitter(recordLimits.messageBytes),
    callee: createLineSplitter(recordLimits.messageBytes),
  }
  const take = (side: Side, lines: ReturnType<(typeof splitters)[Side]['push']>) => {
    // Stdio has one session per process, which has no name in the protocol.
    for (const { text, fault } of lines) if (text.trim() !== '') dialogue?.take(side, text, { exchange }, fault)
  }
  return {
    take(kind: number, bytes: Buffer) {
      if (kind === frameKinds.hello) {
        const hello = readJson(bytes.toString())
        const value = hello.ok ? hello.value : null
        dialogue = dialogueOf(ownText(value, 'server') ?? '')
        const id = value !== null && typeof value === 'object' && 'pid' in value ? value.pid : undefined
        pid = typeof id === 'number' ? id : undefined
      } else if (kind === frameKinds.caller) take('caller', splitters.caller.push(bytes))
      else if (kind === frameKinds.callee) take('callee', splitters.callee.push(bytes))
      else {
        isEnded = true
        take('callee', splitters.callee.end())
        take('caller', splitters.caller.end())
      }
    },
    close() {
      if (isEnded || pid === undefined) return
      // The shim was killed, and the server may ignore the end of its input.
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The server has already ended.
      }
    },
  }
}

/** Creates a reader of frames: the kind, a four-byte length, and the content. */
function createFrameReader(onFrame: (kind: number, bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= 5) {
      const end = 5 + rest.readUInt32BE(1)
      if (rest.length < end) return
      onFrame(rest.readUInt8(0), rest.subarray(5, end))
      rest = rest.subarray(end)
    }
  }
}
