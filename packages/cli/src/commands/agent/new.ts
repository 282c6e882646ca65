/** `joust agent new FOLDER`: creates an agent that runs with a simulated model. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { makeFolder, writeNew } from '@joust/io'
import { messageOf, own, ownList, parseJson, shellWord } from '@joust/source'
import type { AgentNewOptions } from '../../options/agent.ts'
import { assets } from '../../terminal/assets.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'

const TEST_FILES = ['README.md', 'expected.json']

/** Copies the example of an execution policy under a new name; prints the command that runs the copy to stdout. */
export async function createAgent(folder: string, { shape }: AgentNewOptions, io: Io): Promise<number> {
  const home = resolve(io.cwd, folder)
  const id = basename(home)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
  if (id === '')
    return wrongUsage([`${folder} must contain a letter or digit, because the agent is named after the folder`], io)
  if (existsSync(home) && readdirSync(home).length > 0) return wrongUsage([`${folder} exists and is not empty`], io)
  const source = join(assets.agents, shape)
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((file) => !TEST_FILES.includes(file))
    .sort()
  try {
    for (const file of files) {
      const text = readFileSync(join(source, file), 'utf8')
      makeFolder(dirname(join(home, file)))
      writeNew(join(home, file), file === 'agent.agf.yaml' ? renamed(text, id) : text)
      tell(io, join(folder, file))
    }
  } catch (thrown) {
    return giveUp(`${folder} cannot be created: ${messageOf(thrown)}`, io)
  }
  const [run] = ownList(parseJson(readFileSync(join(source, 'expected.json'), 'utf8')), 'runs')
  const example = own(run, 'input')
  const input = (typeof example === 'string' ? example : JSON.stringify(example)).replaceAll("'", "'\\''")
  const config = files.includes('joust.yaml') ? ` --config ${shellWord(join(folder, 'joust.yaml'))}` : ''
  io.stdout.write(`joust agent run ${shellWord(join(folder, 'agent.agf.yaml'))}${config} --input '${input}'\n`)
  return exitCodes.ok
}

/** Replaces the first `id` and `name` in the text, which are those of the agent. */
function renamed(text: string, id: string): string {
  const words = id.replaceAll(/[-_]+/g, ' ').trim()
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return text
    .replace(/^ {2}id: .*$/m, `  id: ${JSON.stringify(id)}`)
    .replace(/^ {2}name: .*$/m, `  name: ${JSON.stringify(name)}`)
}
