/** Ends a run that hangs. A separate thread prints the input on which a reader did not return. */
import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const ROOM = 40_000

interface Watch {
  /** Must be called before each input is read. */
  begin(name: string, text: string): void
  close(): Promise<unknown>
}

export function openWatch(milliseconds: number): Watch {
  const shared = new SharedArrayBuffer(8 + ROOM)
  const head = new Int32Array(shared, 0, 2)
  const bytes = Buffer.from(shared, 8)
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { shared, milliseconds },
    // Options for a program given as text would prevent the worker from starting.
    execArgv: [],
  })
  worker.unref()
  return {
    begin(name, text) {
      head[1] = bytes.write(`${name}: ${text}`, 0, ROOM, 'utf8')
      Atomics.add(head, 0, 1)
    },
    close: () => worker.terminate(),
  }
}

function watch({ shared, milliseconds }: { readonly shared: SharedArrayBuffer; readonly milliseconds: number }): void {
  const head = new Int32Array(shared, 0, 2)
  for (;;) {
    const count = Atomics.load(head, 0)
    Atomics.wait(head, 0, count, milliseconds)
    if (count > 0 && Atomics.load(head, 0) === count) break
  }
  const text = Buffer.from(shared, 8, head[1] ?? 0).toString()
  // The main thread is blocked, so nothing else is written.
  writeSync(1, `FOUND hanging: ${JSON.stringify(text)}\n`)
  process.kill(process.pid, 'SIGKILL')
}

if (!isMainThread) watch(workerData)
