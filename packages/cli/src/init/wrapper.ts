/** Wrappers that connect Joust to the user's agent: they call the agent, or have a line to fill in. */
import { readFileSync } from 'node:fs'
import { assets } from '../terminal/assets.ts'
import type { AgentSource } from './code.ts'
import type { AgentForm } from './frameworks/form.ts'

export const JAVASCRIPT_FILE = 'joust.agent.mjs'
export const PYTHON_FILE = 'joust_agent.py'

const OPEN = 'is not filled in yet: call your agent'

const HEAD = `// joust calls this function for each user message; the return value is the agent's answer.
//
//   prompt        the user's message
//   conversation  the same for all turns of one conversation; number counts them from 1
//   mcpServers    the MCP servers that the agent should use: { name: { type: 'http', url } }
//   agents        the A2A agents that it may delegate to: { name: { url } }
//   signal        aborted when the answer is no longer needed
//
// An agent that does not connect to mcpServers never sees the bait of attacks over MCP; the preflight reports this.
`

export function javascriptWrapper(code: AgentSource | undefined): string {
  if (code === undefined)
    return `${HEAD}export default async function answer({ prompt, mcpServers }) {
  throw new Error('${JAVASCRIPT_FILE} ${OPEN} here, for example: return (await generateText({ model, prompt, tools })).text')
}
`
  const { form, name, file } = code
  const binding = name === 'default' ? 'agent' : `{ ${name === 'agent' ? name : `${name} as agent`} }`
  const { imports, after = [], lines } = form?.call ?? plainCall
  const head = [...imports, `import ${binding} from './${file}'`, '', ...after, ...(after.length > 0 ? [''] : [])]
  const parameters = form === undefined ? 'prompt, ...more' : 'prompt, number, mcpServers, signal'
  return `${HEAD}${head.join('\n')}
export default async function answer({ ${parameters} }) {
${indented(lines, '  ')}
}
`
}

const plainCall: AgentForm['call'] = {
  imports: [],
  lines: ['const answer = await agent(prompt, more)', `return typeof answer === 'string' ? answer : answer.text`],
}

/** Returns the text of `joust_agent.py`: the example with the agent call filled in. */
export function pythonWrapper(code: AgentSource | undefined): string {
  const text = readFileSync(assets.pythonAgent, 'utf8')
  const { form } = code ?? {}
  if (code === undefined || form === undefined) return text
  const module = code.file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.')
  const { imports, before, after = [], lines } = form.call
  const head = [...imports, ...(before === undefined ? [] : ['', ...before]), '']
  const connected = [...head, `from ${module} import ${code.name} as agent`, '', ...after, '', '']
  return text
    .replace(/^def answer\(/m, () => `${connected.join('\n')}async def answer(`)
    .replace(/^ {4}raise NotImplementedError\(.*\)$/m, () => indented(lines, '    '))
}

/** Returns the number of the line to fill in; undefined if the wrapper is complete. */
export function openLine(text: string): number | undefined {
  const index = text.split('\n').findIndex((line) => line.includes(OPEN))
  return index === -1 ? undefined : index + 1
}

function indented(lines: readonly string[], space: string): string {
  return lines.map((line) => (line === '' ? '' : `${space}${line}`)).join('\n')
}
