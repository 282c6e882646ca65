/** What there is in a folder that can be attacked, or attacked with. Nothing is run, and no code is loaded. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

import { presets } from '@joust/arena'

import { isRecord, own, readJson } from '@joust/source'
import { discover } from '../input/discover.ts'
import { formatOf } from '../input/format-of.ts'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'
import { type AgentCode, findAgentCode, textOf } from './code.ts'

/** What was found. Files are relative to the folder. */
export interface Found {
  readonly agents: readonly string[]
  readonly attacks: readonly string[]
  /** Names of presets whose program is on PATH. */
  readonly presets: readonly string[]
  /** Packages of agent frameworks. */
  readonly javascript: readonly string[]
  readonly python: readonly string[]
  /** A function that looks like an agent of one of them. */
  readonly code: AgentCode | undefined
}

const javascriptPackages = [
  'ai',
  '@openai/agents',
  '@langchain/langgraph',
  '@mastra/core',
  '@strands-agents/sdk',
  '@google/adk',
]
const pythonPackages = ['langgraph', 'openai-agents', 'pydantic-ai', 'google-adk', 'strands-agents']

/** So many documents are looked at: a folder can be anything. */
const MOST_FILES = 500

/** Looks around in the working folder. */
export async function lookAround(io: Io): Promise<Found> {
  const javascript = await packagesOf(io)
  return {
    ...(await documentsIn(io)),
    presets: await presetsOnPath(io),
    javascript,
    python: pythonIn(io),
    code: javascript.length === 0 ? undefined : await findAgentCode(javascript, io),
  }
}

async function documentsIn(io: Io): Promise<Pick<Found, 'agents' | 'attacks'>> {
  const files = await discover(['.'], io.cwd)
  const agents: string[] = []
  const attacks: string[] = []
  for (const { name, path, unlisted } of files.ok ? files.value.slice(0, MOST_FILES) : []) {
    const text = unlisted === true ? undefined : await readText(path, io)
    const format = text?.ok === true ? formatOf(text.value) : 'unknown'
    if (format === 'agent-format') agents.push(name)
    else if (format === 'oatf') attacks.push(name)
  }
  return { agents, attacks }
}

async function presetsOnPath({ env }: Io): Promise<string[]> {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const isThere = async (program: string) => {
    for (const folder of folders) if (await isExecutable(join(folder, program))) return true
    return false
  }
  const found: string[] = []
  for (const { name, command } of presets) if (await isThere(command[0] ?? name)) found.push(name)
  return found
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function packagesOf(io: Io): Promise<string[]> {
  const read = readJson(textOf(join(io.cwd, 'package.json')))
  const parts =
    read.ok && isRecord(read.value) ? [own(read.value, 'dependencies'), own(read.value, 'devDependencies')] : []
  const names = new Set(parts.flatMap((part) => (isRecord(part) ? Object.keys(part) : [])))
  return javascriptPackages.filter((name) => names.has(name))
}

function pythonIn(io: Io): string[] {
  const files = ['pyproject.toml', 'requirements.txt'].map((name) => textOf(join(io.cwd, name)))
  const text = files.join('\n')
  // The name of a requirement, quoted or at the beginning of a line; a version or an extra may follow.
  return pythonPackages.filter((name) => new RegExp(`(?:^|["'])${name}(?![\\w-])`, 'm').test(text))
}
