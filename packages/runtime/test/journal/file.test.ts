import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@joust/io'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openJournalFile } from '../../src/journal/file.ts'
import { createJournal } from '../../src/journal/journal.ts'
import type { Line } from '../../src/journal/shapes.ts'
import { runtimeLimits } from '../../src/model/limits.ts'

function place(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'joust-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'run.journal')
  if (text !== undefined) writeFileSync(file, text)
  return file
}

const identity = { agent: 'a', input: 'b' }
const line: Line = { at: 1, end: 'tool 1', value: { failed: 'x' } }

function open(file: string, facts: Readonly<Record<string, string>> = identity) {
  const opened = openJournalFile(file, facts, [])
  if (opened.ok) onTestFinished(() => opened.value.close())
  return opened
}

/** A journal with these lines. */
function written(...lines: readonly Line[]): string {
  const file = place()
  const opened = open(file)
  if (!opened.ok) throw new Error(opened.error)
  for (const one of lines) opened.value.append(one, true)
  opened.value.close()
  return file
}

const linesOf = (opened: ReturnType<typeof open>) => (opened.ok ? opened.value.lines : opened.error)

describe('the file', () => {
  it('is private to the user and returns the written lines', () => {
    const file = written(line)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(linesOf(open(file))).toEqual([line])
  })

  it.each(['{"at":2,"end":"to', '{"at":2', '\u{1f600}'.slice(0, 1)])(
    'drops a last line that was cut off: %j',
    (cut) => {
      const file = written(line)
      writeFileSync(file, cut, { flag: 'a' })
      const opened = open(file)
      expect(linesOf(opened)).toEqual([line])
      if (opened.ok) opened.value.append({ at: 3, finished: 1 }, false)
      expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual([
        '{"at":1,"end":"tool 1","value":{"failed":"x"}}',
        '{"at":3,"finished":1}',
        '',
      ])
    },
  )

  it.each(['', '{', '{"joust_run_journal":1,"sa'])('restarts after a truncated first line: %j', (text) => {
    expect(linesOf(open(place(text)))).toEqual([])
  })

  it.each(['{"a":1}\n', 'hello', '{"joust_journal":3}\n'])(
    'does not change a file that is not a journal: %j',
    (text) => {
      const file = place(text)
      expect(linesOf(open(file))).toMatch(/^not a run journal/)
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(existsSync(`${file}.lock`)).toBe(false)
    },
  )

  it.each(['nonsense', '{"at":1}', '{"end":"x","value":1}'])('rejects a corrupt line: %s', (corrupt) => {
    const file = written(line)
    writeFileSync(file, `${corrupt}\n{"at":3,"finished":1}\n`, { flag: 'a' })
    expect(linesOf(open(file))).toMatch(/^line 3 is corrupt/)
  })

  const model = (value: string) => `{"at":1,"end":"model 1 1","value":${value}}`
  const answer = '{"content":[],"usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop"}}'

  it('accepts lines with a valid shape', () => {
    const file = written(line)
    const lines = [
      model(`{"answer":${answer}}`),
      model('{"fault":{"message":"busy","retryable":true}}'),
      '{"at":1,"end":"tool 2","same":"tool 1"}',
      '{"at":1,"end":"list 1","value":false}',
      '{"at":1,"by":"","spent":{"inputTokens":1,"outputTokens":1,"estimated":false}}',
    ]
    writeFileSync(file, `${lines.join('\n')}\n`, { flag: 'a' })
    expect(linesOf(open(file))).toHaveLength(6)
  })

  it.each([
    ['an answer that is not one', model('42')],
    ['an answer without content', model(`{"answer":${answer.replace('content', 'contents')}}`)],
    [
      'an approval that only looks like one',
      '{"at":1,"end":"approval 1 1","value":{"approved":"yes","unavailable":false}}',
    ],
    ['an approval with the value of a tool', '{"at":1,"end":"approval 1 1","same":"tool 1"}'],
    ['the value of nothing', '{"at":1,"end":"tool 2","same":"tool 9"}'],
    ['tokens that give some back', '{"at":1,"by":"","spent":{"inputTokens":-9,"outputTokens":0,"estimated":false}}'],
    ['a result without usage', '{"at":1,"finished":{"output":1,"warnings":[]}}'],
    ['two lines in one', '{"at":1,"begin":"x","finished":1}'],
    ['work that goes back', '{"at":-1,"begin":"x"}'],
    ['a step of no kind', '{"at":1,"end":"constructor 1","value":1}'],
  ])('rejects %s', (_, corrupt) => {
    const file = written(line)
    writeFileSync(file, `${corrupt}\n`, { flag: 'a' })
    expect(linesOf(open(file))).toMatch(/^line 3 is corrupt/)
  })

  it('rejects a file that is too large', () => {
    const file = written(line)
    truncateSync(file, runtimeLimits.journalBytes + 1)
    expect(linesOf(open(file))).toContain(`the file is larger than ${runtimeLimits.journalBytes} bytes`)
  })

  it('rejects another version', () => {
    expect(linesOf(open(place('{"joust_run_journal":2}\n')))).toBe('unsupported journal version 2, expected 1')
  })

  it.each([
    [{ agent: 'z', input: 'b' }, 'agent'],
    [{ agent: 'z', input: 'y' }, 'agent, input'],
    [{ ...identity, '--model': 'm' }, '--model'],
  ])('rejects the journal of another run: %j', (facts, message) => {
    expect(linesOf(open(written(line), facts))).toContain(`it belongs to another run (different ${message})`)
  })
})

describe('the lock', () => {
  const holder = (pid: number, more = {}) => JSON.stringify({ pid, started: 1, host: hostname(), ...more })

  it('blocks a second run and is released by the first', () => {
    const file = place()
    const first = open(file)
    expect(linesOf(open(file))).toMatch(
      `locked by process ${process.pid}; if that process is not using the file, delete`,
    )
    if (first.ok) first.value.close()
    expect(existsSync(`${file}.lock`)).toBe(false)
    expect(linesOf(open(file))).toEqual([])
  })

  it.each([
    ['is alive', holder(process.ppid), /^locked by process \d+;/],
    ['is on another machine', holder(1, { host: 'elsewhere.example' }), /^locked by process 1 on elsewhere\.example;/],
    ['does not say who it is', 'x', /^locked by another process;/],
  ])('is respected when its holder %s', (_, text, message) => {
    const file = place()
    writeFileSync(`${file}.lock`, text)
    expect(linesOf(open(file))).toMatch(message)
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(text)
  })

  it.each([
    // Higher than any id the system assigns.
    ['is gone', holder(2 ** 30)],
    ['was an earlier process with this number', holder(process.pid)],
  ])('is taken over when its holder %s', (_, text) => {
    const file = place()
    writeFileSync(`${file}.lock`, text)
    expect(linesOf(open(file))).toEqual([])
    expect(readFileSync(`${file}.lock`, 'utf8')).not.toBe(text)
    expect(existsSync(`${file}.lock.next`)).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('a lock that is not a file of ours', () => {
  it.each([
    ['a pipe', (path: string) => void execFileSync('mkfifo', [path]), 'not a regular file'],
    ['an endless link', (path: string) => symlinkSync('/dev/zero', path), 'symbolic link'],
    ['a link to nothing', (path: string) => symlinkSync('/nowhere', path), 'symbolic link'],
  ])('%s is an error', (_, make, message) => {
    const file = place()
    make(`${file}.lock`)
    expect(linesOf(open(file))).toContain(message)
  })

  it('does not follow a link in place of the temporary file', () => {
    const file = place()
    const diary = place('mine')
    symlinkSync(diary, `${file}.lock.${process.pid}`)
    expect(linesOf(open(file))).toEqual([])
    expect(readFileSync(diary, 'utf8')).toBe('mine')
  })
})

describe('the steps of a journal', () => {
  it('a repeated value is written once', async () => {
    const file = place()
    const long = 'x'.repeat(1000)
    const tools = [{ name: long, inputSchema: {} }]
    const list = { kind: 'list', request: 'tools', act: async () => tools } as const
    const first = open(file)
    if (!first.ok) throw new Error(first.error)
    const before = createJournal(first.value, systemClock)
    await before.journal.step(list)
    await before.journal.below('a').step(list)
    before.close()
    expect(readFileSync(file, 'utf8').split(long)).toHaveLength(2)
    const second = open(file)
    if (!second.ok) throw new Error(second.error)
    const after = createJournal(second.value, systemClock)
    const never = { ...list, act: () => Promise.reject(new Error('asked again')) }
    expect(await after.journal.below('a').step(never)).toEqual(tools)
    await expect(after.journal.below('b').step(never)).rejects.toThrow('asked again')
  })

  it('a write error stops the run', async () => {
    const opened = open(place())
    if (!opened.ok) throw new Error(opened.error)
    const full = {
      ...opened.value,
      append() {
        throw new Error('no space left')
      },
    }
    const { journal, broken } = createJournal(full, systemClock)
    const step = { kind: 'tool', request: 1, act: async () => 1, again: async () => 2 } as const
    await expect(journal.step(step)).rejects.toThrow('cannot write the journal: no space left')
    expect(broken.reason).toMatchObject({ error: { code: 'journal_failed' } })
  })
})
