/** Approval of tool calls and delegations: by the user at the terminal, or by a fixed answer. */
import { startWithin, systemClock } from '@joust/io'
import type { ApprovalRequest, Approver } from '@joust/runtime'
import { beginning, jsonText, ok, printable, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import { readApprovals } from './approvals.ts'

/** The `--approve` value that sends approval requests to the client of a served agent. */
export const BY_CLIENT = 'client'

export const NO_CLIENT = '--approve client can only be used with joust agent serve'

/** Creates an approver. Undefined for `client` (the server asks), and for `ask` without a terminal (denied). */
export async function approverFor(
  mode: string,
  io: Io,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<Result<Approver | undefined, string>> {
  if (mode === 'all') return ok(() => ({ approved: true, reason: '--approve all' }))
  if (mode === 'none') return ok(() => ({ approved: false, reason: '--approve none' }))
  if (mode === 'ask') return ok(io.ask === undefined ? undefined : askInTurn(io.ask, io, timeoutMs))
  if (mode === BY_CLIENT) return ok(undefined)
  const listed = await readApprovals(mode, io)
  if (!listed.ok) return listed
  // `none` and `all` are handled above.
  return ok(typeof listed.value === 'string' ? undefined : listed.value)
}

/** Asks one question at a time, even for concurrent agents. A timeout rejects the promise, which denies the request. */
function askInTurn(ask: NonNullable<Io['ask']>, io: Io, timeoutMs: number): Approver {
  let before: Promise<unknown> = Promise.resolve()
  return (request, signal) => {
    const answer = before.then(async () => {
      signal.throwIfAborted()
      io.stderr.write(`\n${describe(request)}`)
      const question = `Approve ${printable(request.target)}? [y/N] `
      const answer = Number.isFinite(timeoutMs)
        ? await startWithin(systemClock, timeoutMs, [signal], (within) => ask(question, within))
        : await ask(question, signal)
      return /^\s*y(?:es)?\s*$/i.test(answer) ? { approved: true } : { approved: false, reason: 'denied by the user' }
    })
    before = answer.catch(() => undefined)
    return answer
  }
}

/** Indents every line, so that text from a model or a document cannot imitate Joust output. */
function describe({ kind, agent, target, message, args, reasons }: ApprovalRequest): string {
  const who = [agent.name, ...agent.path].join(' / ')
  return [
    printable(`${who} requests approval: ${kind} ${target}`),
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
  return `${beginning(text, commandLimits.approvalCharacters)}\n… and ${text.length - commandLimits.approvalCharacters} more characters`
}
