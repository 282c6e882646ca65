/** `joust agent serve FILE --ag-ui|--a2a|--mcp`: serves an agent over a protocol. */
import type { Agent } from '@joust/agentformat'
import { isLoopback, onAbort } from '@joust/io'
import {
  RunFailure,
  type Runtime,
  type Served,
  type ServedAll,
  type ServedProtocol,
  serveA2a,
  serveAgUi,
  serveAll,
  serveMcp,
  serveMcpStdio,
} from '@joust/runtime'
import { defined, err, ok, type Result } from '@joust/source'
import { BY_CLIENT } from '../../agent/approver.ts'
import type { OpenedAgent } from '../../agent/open-agent.ts'
import { openRuntime } from '../../agent/open-runtime.ts'
import { tellFault } from '../../agent/run-faults.ts'
import { STDIN } from '../../input/read.ts'
import type { AgentServeOptions } from '../../options/agent.ts'
import { expandText } from '../../target/expand-variables.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'

/** A running server. Over stdio, it stops when the client disconnects. */
interface Serving {
  readonly ended?: Promise<void>
  close(): Promise<void>
}

type Serve = (runtime: Runtime, agent: Agent) => Promise<Serving>

/** Default time limit for an approval request at the terminal while a client waits, in milliseconds. */
const APPROVAL_MS = 300_000

/** Serves the agent. Prints the URL to stdout, and progress to stderr. */
export async function serve(path: string, options: AgentServeOptions, io: Io): Promise<number> {
  const protocol = protocolOf(path, options, io)
  if (!protocol.ok) return wrongUsage([protocol.error], io)
  const { approvalTimeout = APPROVAL_MS } = options
  const opened = await openRuntime(path, { ...options, approvalTimeout }, io, { nameRuns: true })
  if (!opened.ok) return opened.error.exitCode
  const { agent, runtime, hide, close } = opened.value
  const start = async (signal: AbortSignal) => {
    const serving = await started(() => protocol.value(runtime, agent), opened.value, io)
    if (typeof serving === 'number') return serving
    // Reports unreachable servers early, without waiting; every run connects again.
    const approve = () => ({ approved: false })
    void runtime.prepare(agent, { signal, memoryScope: options.memory, approve }).then((prepared) => {
      if (prepared.ok || prepared.error.code !== 'unmapped_server') return
      tell(io, `${hide(prepared.error.message)}; each run retries`)
    })
    return serving
  }
  const code = await io.stoppable((signal) => serveUntil(signal, start))
  await close()
  return code
}

async function serveUntil(
  signal: AbortSignal,
  start: (signal: AbortSignal) => Promise<Serving | number>,
): Promise<number> {
  const serving = await start(signal)
  if (typeof serving === 'number') return serving
  const stopped = new Promise<void>((done) => (signal.aborted ? done() : onAbort(signal, done)))
  await (serving.ended === undefined ? stopped : Promise.race([stopped, serving.ended]))
  await serving.close()
  return signal.aborted ? exitCodeOf(signal) : exitCodes.ok
}

async function started(
  start: () => Promise<Serving>,
  { agent, texts }: OpenedAgent,
  io: Io,
): Promise<Serving | number> {
  try {
    return await start()
  } catch (thrown) {
    if (!(thrown instanceof RunFailure)) throw thrown
    if (thrown.error.code === 'listen_failed') return giveUp(thrown.message, io)
    if (thrown.error.details === undefined) tell(io, thrown.message)
    else tellFault(thrown.error, agent, texts, io)
    return exitCodes.failedRun
  }
}

function protocolOf(path: string, options: AgentServeOptions, io: Io): Result<Serve, string> {
  const { agUi, a2a, mcp, stdio, host, port, approvalTimeout, memory: memoryScope } = options
  const token = expandText('--token', options.token, io)
  if (!token.ok) return token
  const protocols = protocolNames.filter((name) => ({ 'ag-ui': agUi, a2a, mcp })[name])
  const [protocol, ...others] = protocols
  if (protocol === undefined) return err('missing protocol: --ag-ui, --a2a or --mcp')
  const byClient = options.approve === BY_CLIENT
  if (approvalTimeout !== undefined && !byClient && options.approve !== 'ask')
    return err(`--approval-timeout needs --approve ask or ${BY_CLIENT}`)
  const approvals = byClient ? { approvals: 'client' as const, ...defined({ approvalMs: approvalTimeout }) } : {}
  if (stdio && path === STDIN) return err('with --stdio the agent cannot come from standard input')
  if (stdio) return ok((runtime, agent) => overStreams(runtime, agent, { memoryScope, ...approvals }))
  const at = { ...defined({ host, port, token: token.value }), memoryScope, ...approvals }
  return ok(async (runtime, agent) => {
    const served: Served & { readonly urls?: ServedAll['urls'] } =
      others.length > 0 ? await serveAll(runtime, agent, protocols, at) : await servers[protocol](runtime, agent, at)
    if (host !== undefined && !isLoopback(host)) {
      const clients = token.value === undefined ? 'any client' : 'any client with the token'
      tell(io, `${clients} that can connect to ${host} can run this agent`)
    }
    const urls = Object.entries(served.urls ?? {})
    io.stdout.write(urls.length === 0 ? `${served.url}\n` : urls.map((one) => `${one.join(' ')}\n`).join(''))
    return served
  })
}

const servers = { 'ag-ui': serveAgUi, a2a: serveA2a, mcp: serveMcp } satisfies { [name in ServedProtocol]: unknown }
const protocolNames: readonly ServedProtocol[] = ['ag-ui', 'a2a', 'mcp']

/** Serves the agent over stdio, where standard output is reserved for the protocol. */
async function overStreams(
  runtime: Runtime,
  agent: Agent,
  options: Parameters<typeof serveMcpStdio>[2],
): Promise<Serving> {
  const served = await serveMcpStdio(runtime, agent, options)
  return { ended: served.closed, close: () => served.close() }
}
