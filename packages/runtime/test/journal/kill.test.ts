/** Runs that are killed: real processes, while what they act on survives. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { useHttp } from '../support/http.ts'

const script = fileURLToPath(new URL('../fixtures/journaled-run.mjs', import.meta.url))
const serve = useHttp()

test('ten kills in the middle of agf.parallel with twelve tool calls: correct output, no duplicate effects', async () => {
  const effects: string[] = []
  let onEffect = () => {}
  const address = await serve(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    effects.push(text)
    onEffect()
    response.end()
  })
  const folder = mkdtempSync(join(tmpdir(), 'joust-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const all = ['left', 'right'].flatMap((who) => Array.from({ length: 6 }, (_, n) => JSON.stringify({ who, n })))
  for (let kills = 0; kills < 10; ) {
    effects.length = 0
    const file = join(folder, `${kills}.jsonl`)
    const start = () => fork(script, [file, address], { execArgv: [] })
    for (let tries = 0; tries < 4 && kills < 10; tries++) {
      const child = start()
      // Some milliseconds after its first, second or third effect: in a call, between calls, or during a model call.
      let left = 1 + Math.floor(Math.random() * 3)
      onEffect = () => {
        if (--left === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 20)
      }
      const { signal } = await endOf(child)
      if (signal !== 'SIGKILL') break
      kills += 1
    }
    onEffect = () => {}
    expect((await endOf(start())).message).toMatchObject({ ok: true, value: { output: { left: 6, right: 6 } } })
    expect(new Set(effects).size).toBe(effects.length)
    // A call may be missing: killed before it was sent, its outcome is unknown to the model.
    expect(all).toEqual(expect.arrayContaining(effects))
  }
}, 90_000)

function endOf(child: ChildProcess): Promise<{ readonly signal: string | null; readonly message: unknown }> {
  let message: unknown
  child.on('message', (sent) => {
    message = sent
  })
  return new Promise((resolve) => {
    child.on('close', (_, signal) => resolve({ signal, message }))
  })
}
