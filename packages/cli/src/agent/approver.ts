/** Who approves what an agent wants to do: the human at the terminal, or a rule for all of it. */
import type { ApprovalRequest, Approver } from '@joust/runtime'
import { beginning, jsonText, printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** What `--approve` may be. */
export type ApprovalMode = 'ask' | 'all' | 'none'

/** The approver of a mode; undefined when there is nobody to ask, which the runtime treats as a no. */
export function approverFor(mode: ApprovalMode, io: Io): Approver | undefined {
  if (mode === 'all') return () => ({ approved: true, reason: '--approve all' })
  if (mode === 'none') return () => ({ approved: false, reason: '--approve none' })
  return io.ask === undefined ? undefined : askInTurn(io.ask, io)
}

/** Agents that run side by side wait for each other's answers. */
function askInTurn(ask: NonNullable<Io['ask']>, io: Io): Approver {
  let before: Promise<unknown> = Promise.resolve()
  return (request, signal) => {
    const answer = before.then(async () => {
      signal.throwIfAborted()
      io.stderr.write(`\n${describe(request)}`)
      const said = await ask(`Approve ${printable(request.target)}? [y/N] `, signal)
      return /^\s*y(?:es)?\s*$/i.test(said) ? { approved: true } : { approved: false, reason: 'the user said no' }
    })
    before = answer.catch(() => undefined)
    return answer
  }
}

/** Every line has a margin, so that no text of a model or a document can pass for one of ours. */
function describe({ kind, agent, target, message, args, reasons }: ApprovalRequest): string {
  const who = [agent.name, ...agent.path].join(' / ')
  return [
    printable(`${who} asks for approval: ${kind} ${target}`),
    ...margin(message),
    'with these arguments:',
    ...margin(shortened(jsonText(args).trimEnd())),
    ...reasons.map((reason) => printable(`why: ${reason}`)),
    '',
  ].join('\n')
}

function margin(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => `  | ${printable(line)}`)
}

function shortened(text: string): string {
  if (text.length <= commandLimits.approvalCharacters) return text
  return `${beginning(text, commandLimits.approvalCharacters)}\n… and ${text.length - commandLimits.approvalCharacters} characters that are not shown`
}
