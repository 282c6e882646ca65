/** `joust init`: a joust.yaml for what is found here, and a first attack. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { jsonText, printable } from '@joust/source'
import { firstAttack } from '../init/first-attack.ts'
import { type Found, lookAround } from '../init/look.ts'
import { ATTACK_FILE, projectText, SCHEMA_FILE } from '../init/project-text.ts'
import { JAVASCRIPT_FILE, javascriptWrapper, PYTHON_FILE, pythonWrapper } from '../init/wrapper.ts'
import { projectSchema } from '../project/shape.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'

/** Writes what is not there yet, and says what it found, what it wrote and what comes next. */
export async function init(io: Io): Promise<number> {
  const found = await lookAround(io)
  const { text, now, later } = projectText(found)
  const files: [name: string, text: string][] = [
    ...(found.javascript.length === 0 ? [] : [[JAVASCRIPT_FILE, javascriptWrapper(found.code)] as [string, string]]),
    ...(found.python.length === 0 ? [] : [[PYTHON_FILE, pythonWrapper] as [string, string]]),
    ...(found.attacks.length > 0 ? [] : [[ATTACK_FILE, firstAttack] as [string, string]]),
    [SCHEMA_FILE, jsonText(projectSchema())],
    [PROJECT_FILE, text],
  ]
  for (const line of findings(found)) io.stdout.write(`found ${printable(line)}\n`)
  let failed = false
  for (const [name, content] of files) {
    const said = await writeNew(join(io.cwd, name), content)
    failed ||= said.startsWith('cannot')
    io.stdout.write(`${said} ${name}\n`)
  }
  if (failed) return exitCodes.failure
  const next = ['', `Next: joust run                 attacks ${now.join(', ')}`]
  if (later.length > 0) next.push(`      joust run --on ${(later[0] ?? '').padEnd(12)} ${laterText(later)}`)
  io.stdout.write(`${next.join('\n')}\n`)
  return exitCodes.ok
}

function laterText(later: readonly string[]): string {
  return `needs a key, a login or its file filled in${later.length > 1 ? `; so do ${later.slice(1).join(', ')}` : ''}`
}

function findings({ agents, attacks, presets, javascript, python, code }: Found): string[] {
  const list = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [`${what}: ${names.join(', ')}`])
  const all = [
    ...list('agent files', agents),
    ...list('attack documents', attacks),
    ...list('agents on PATH', presets),
    ...list('packages', [...javascript, ...python]),
    ...(code === undefined ? [] : [`a function: ${code.name} in ${code.file}`]),
  ]
  return all.length > 0 ? all : ['no agent: the file attacks simulated ones']
}

/** Never writes over anything. */
async function writeNew(path: string, text: string): Promise<'wrote' | 'kept' | 'cannot write'> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST' ? 'kept' : 'cannot write'
  }
}
