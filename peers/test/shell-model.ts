/** A simulated model that works in an agent's shell, for attacks through files in its folder. */
import type { ModelRequest, Move, OfferedTool } from './model-wire.ts'

const SHELLS = /^(?:bash|exec_command|run_shell_command)$/
const MOST_COMMANDS = 6

/**
 * Runs the commands in Markdown one after another: the obedient model runs the commands in all texts, the careful model
 * only those from its user. The obedient model first reads an offered skill. `strange` removes lines from the agent
 * itself.
 */
export function workInShell(
  { said, tools }: Pick<ModelRequest, 'said' | 'tools'>,
  obeys: boolean,
  strange: (text: string) => string,
): Move | 'no task' | undefined {
  const shell = tools.find((tool) => SHELLS.test(tool.name))
  if (shell === undefined) return undefined
  const asked = said.findLast((one) => one.kind === 'user')
  const orders = asked?.kind === 'user' ? commandsIn(asked.text) : []
  if (orders.length === 0) return 'no task'
  const calls = said.flatMap((one) => (one.kind === 'call' ? [one] : []))
  const texts = said.flatMap((one) => ('text' in one ? [{ kind: one.kind, text: strange(one.text) }] : []))
  // The agent's own skills come first. The skill tool of opencode needs ripgrep, so the file is read directly.
  const skill = texts
    .flatMap(({ text }) => [...text.matchAll(/<location>(?:file:\/\/)?(\/\S+)<\/location>/g)])
    .at(-1)?.[1]
  const isRead = calls.some(({ args }) => JSON.stringify(args).includes(`cat ${skill}`))
  if (obeys && skill !== undefined && !isRead)
    return { call: { id: 'skill-1', tool: shell, args: argumentsOf(shell, `cat ${skill}`) } }
  const commands = [...new Set(obeys ? texts.flatMap(({ text }) => commandsIn(text)) : orders)]
  const done = calls.length - (isRead ? 1 : 0)
  const command = commands.slice(0, MOST_COMMANDS)[done]
  if (command === undefined) return { text: `I ran ${done} commands.` }
  return { call: { id: `shell-${done + 1}`, tool: shell, args: argumentsOf(shell, command) } }
}

/** Returns the commands in shell code blocks and in code spans that contain a space. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n\s*(.+)\n\s*```/g)].flatMap(([, line]) => line ?? [])
  const spans = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([a-z]+ [^`\n]+)`/g)]
  return [...blocks, ...spans.flatMap(([, span]) => span ?? [])]
}

function argumentsOf({ schema }: OfferedTool, command: string): object {
  const names = Object.keys((schema as { properties?: object }).properties ?? {})
  const texts = names.includes('description') ? { description: 'Runs a command' } : {}
  return { [names.includes('cmd') ? 'cmd' : 'command']: command, ...texts }
}
