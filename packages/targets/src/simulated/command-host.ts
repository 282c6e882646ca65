/**
 * A simulated agent with a working folder, for attacks with `x-joust-files`. It runs commands through the folder's
 * shims, which start programs that do nothing, so that no command of an attack affects this machine.
 */
import { appendFile, chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { TargetArena, TargetSession } from '@joust/arena'
import { startChild } from '@joust/arena/wire'
import { openRunFolders, type RunFolders } from '@joust/io'
import { openChat } from '../chat/chat.ts'
import { layFolder } from '../command/folder.ts'
import { splitCommand } from '../command/split-command.ts'
import { targetLimits } from '../limits.ts'
import type { Disposition, SimulatedHost } from './host.ts'

/** An agent that reads instruction files and skills. The credulous version runs every command in them. */
export const commandHost: SimulatedHost = {
  name: 'command host',
  fits: ({ files }) => files === true,
  create: (kind) => ({ name: `a ${kind} command host`, start: (arena) => startHost(kind, arena) }),
}

async function startHost(kind: Disposition, arena: TargetArena): Promise<TargetSession> {
  const folders = await openRunFolders()
  try {
    const { run, inspect } = await openMachine(folders, arena)
    const say = async (prompt: string) => {
      const files = await instructionsIn(folders.work)
      const commands = [...(kind === 'credulous' ? files.flatMap(commandsIn) : []), ...commandsIn(prompt)]
      for (const command of commands.slice(0, targetLimits.simulatedCommands)) await run(command)
      return { text: `Done after ${commands.length} commands.` }
    }
    const open = async () => ({ say: ({ prompt }: { prompt: string }) => say(prompt), close: async () => {} })
    const session = await openChat({ name: `a ${kind} command host`, open }, arena)
    return {
      ...session,
      inspectFolder: inspect,
      async stop() {
        await session.stop()
        await folders.remove()
      },
    }
  } catch (thrown) {
    await folders.remove()
    throw thrown
  }
}

/** Programs on the simulated machine. */
const programs: readonly string[] = [
  ...['bash', 'cargo', 'cat', 'chmod', 'cp', 'curl', 'docker', 'echo', 'env', 'gh', 'git', 'go', 'ls', 'make', 'mkdir'],
  ...[
    'mv',
    'nc',
    'node',
    'npm',
    'npx',
    'pip',
    'pnpm',
    'printenv',
    'printf',
    'pytest',
    'python',
    'python3',
    'rm',
    'scp',
  ],
  ...['sh', 'ssh', 'tar', 'tee', 'uv', 'wget', 'yarn'],
]

interface Machine {
  readonly run: (command: Command) => Promise<void>
  readonly inspect: () => ReturnType<NonNullable<TargetSession['inspectFolder']>>
}

async function openMachine(folders: RunFolders, { files = [] }: TargetArena): Promise<Machine> {
  const { folder, work, env } = folders
  const installed = join(folder, 'programs')
  await mkdir(installed)
  const nothing = join(folder, 'nothing')
  await writeFile(nothing, '#!/bin/sh\n')
  await chmod(nothing, 0o755)
  for (const name of programs) await symlink(nothing, join(installed, name))
  const agent = {
    command: [],
    next: undefined,
    answer: undefined,
    values: new Map<string, string>(),
    cwd: work,
    folder,
  }
  const { setting, inspect } = await layFolder(
    files,
    { ...folders, cwd: work },
    { ...agent, env: { ...env, PATH: installed } },
  )
  const [shims = ''] = (setting.env.PATH ?? '').split(':')
  return {
    inspect,
    async run({ name, args, output }) {
      const child = await startChild({ command: join(shims, name), args, env: setting.env, cwd: work })
      await child.exited
      if (output === undefined) return
      const write = output.appends ? appendFile : writeFile
      await write(join(work, output.file), `${args.join(' ')}\n`).catch(() => {})
    },
  }
}

const INSTRUCTIONS = /^(SKILL\.md|AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.cursorrules|copilot-instructions\.md|.+\.mdc)$/

async function instructionsIn(work: string): Promise<string[]> {
  const entries = await readdir(work, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && INSTRUCTIONS.test(entry.name))
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath ?? entry.path, basename(entry.name)), 'utf8')))
}

interface Command {
  readonly name: string
  readonly args: readonly string[]
  /** The file to which the output is redirected. */
  readonly output?: { readonly file: string; readonly appends: boolean }
}

/**
 * Extracts commands from the code blocks in a text, if their programs exist on the simulated machine. Supports just
 * enough shell syntax for lists and redirections.
 */
function commandsIn(text: string): Command[] {
  const blocks = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)]
  const lines = blocks.flatMap(([, block, span]) => (block ?? span ?? '').split('\n'))
  return lines.flatMap((line) => line.split(/&&|\|\||[;|]/)).flatMap(commandOf)
}

function commandOf(line: string): Command[] {
  const [, plain = '', sign, file = ''] = /^\s*(?:\$ )?(.*?)(?:\s*(>>?)\s*([\w./-]+))?\s*$/.exec(line) ?? []
  const words = splitCommand(plain)
  const [name = '', ...args] = words.ok ? words.value : []
  if (!programs.includes(name)) return []
  const isInside = sign !== undefined && !file.startsWith('/') && !file.split('/').includes('..')
  return [{ name, args, ...(isInside && { output: { file, appends: sign === '>>' } }) }]
}
