/** One call of one callable: governance lists, arguments, guardrails, approval, limits, events. */
import { compileSchema, type SchemaProblem } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { isRecord, kindOf, messageOf, type Value } from '@joust/source'
import { requireApproval } from '../approvals/ask.ts'
import type { AgentContext } from '../context/agent-context.ts'
import { guardrailFault, toolFault } from '../governance/governance.ts'
import type { Callable } from '../model/callable.ts'
import { errorObservation, type Observation, type RemoteThread } from '../model/connection.ts'
import { failureOf, isLimitOf, RunFailure } from '../model/errors.ts'
import { describeProblems } from '../model/fit-schema.ts'
import { journaled } from '../model/journal.ts'
import { runtimeLimits } from '../model/limits.ts'

/**
 * Resolves once a call may start, with the function that makes it: people have been asked, and it counts towards the
 * limits. A call that is refused has a `tool-failed` event without a `tool-called` one; its function gives the reason.
 * Both steps end in an observation, with two exceptions that reject with a `RunFailure`: the agent's signal fired (its
 * reason), or a limit keeps the call from starting (`limit_exceeded`; `agf.react` may then make its closing call).
 */
export async function dispatch(
  callable: Callable,
  args: Value,
  call: string,
  context: AgentContext,
): Promise<() => Promise<Observation>> {
  const { name, kind } = callable
  const told = (observation: Observation): Observation => {
    const { content, isError } = observation
    context.emit({ type: isError ? 'tool-failed' : 'tool-answered', call, name, content })
    return observation
  }
  const refusal = await observed(name, context, () => admit(callable, args, context))
  if (refusal !== undefined) {
    told(refusal)
    return async () => refusal
  }
  return async () => {
    context.emit({ type: 'tool-called', call, name, kind, args })
    return told(await observed(name, context, () => make(callable, args, call, context)))
  }
}

/** The observation of work, or of its failure. */
async function observed<T>(name: string, context: AgentContext, work: () => Promise<T>): Promise<T | Observation> {
  try {
    return await work()
  } catch (thrown) {
    if (context.signal.aborted) throw failureOf(context.signal, context.path)
    if (thrown instanceof RunFailure && isLimitOf(thrown, context.path)) throw thrown
    return errorObservation(`${name} failed: ${messageOf(thrown)}`)
  }
}

async function admit(callable: Callable, args: Value, context: AgentContext): Promise<Observation | undefined> {
  const refusal = await refusalOf(callable, args, context)
  if (refusal !== undefined) return errorObservation(`${callable.name} was not called: ${refusal}`)
  // OPEN-34: a delegation is not a tool call.
  if (callable.kind !== 'agent') context.budget.startToolCall()
  return undefined
}

async function make(callable: Callable, args: Value, call: string, context: AgentContext): Promise<Observation> {
  const { name } = callable
  const observation = await invoke(callable, args, call, context)
  const subject = { stage: 'tool_result', agent: context.path, target: name, value: observation.content } as const
  const stopped = await guardrailFault(context.governance, subject, context.signal)
  return stopped === undefined ? observation : errorObservation(`the result of ${name} is withheld: ${stopped}`)
}

/** Why a call may not start. Throws failures of the agent, such as a denied approval. */
async function refusalOf(callable: Callable, args: Value, context: AgentContext): Promise<string | undefined> {
  const { name, names, kind, approval } = callable
  const denied = kind === 'agent' ? undefined : toolFault(context.governance, [name, ...names])
  if (denied !== undefined) return denied
  const unfit = argumentFault(callable, args)
  if (unfit !== undefined) return unfit
  const subject = { stage: 'tool_call', agent: context.path, target: name, value: args } as const
  const stopped = await guardrailFault(context.governance, subject, context.signal)
  if (stopped !== undefined || kind === 'agent') return stopped
  // Nobody is asked about a call that cannot start; it is counted only when it does.
  // OPEN-37: a remote delegation is one level down.
  if (kind === 'remote') context.budget.enterDelegation()
  context.budget.checkToolCall()
  await requireApproval({ ...approval, target: name, names, args }, context)
  return undefined
}

async function invoke(callable: Callable, args: Value, call: string, context: AgentContext): Promise<Observation> {
  // A sub-agent has limits of its own; cutting it short here would count as its failure.
  if (callable.kind === 'agent') return callable.invoke(args, context.signal, call)
  const { clock, options, signal, journal } = context
  const milliseconds = options.timeouts?.toolMs ?? runtimeLimits.toolMs
  const send = () => startWithin(clock, milliseconds, [signal], (within) => callable.invoke(args, within, call))
  return journal === undefined ? send() : recorded(callable, args, context, send)
}

interface Recorded {
  readonly observation?: Observation
  readonly failed?: string
  readonly thread?: RemoteThread
}

/** A call that the journal knows is not made; one with an unknown end is repeated only where that does no harm. */
async function recorded(
  { name, kind, repeatable, thread }: Callable,
  args: Value,
  { journal, signal, budget }: AgentContext,
  send: () => Promise<Observation>,
): Promise<Observation> {
  const act = async (): Promise<Recorded> => {
    try {
      return { observation: await send(), ...(thread === undefined ? {} : { thread }) }
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return { failed: messageOf(thrown) }
    }
  }
  const again = async (): Promise<Recorded> => ({ observation: errorObservation(unknownOutcome(name)) })
  const lost = (times: number) => {
    for (let count = 0; count < times; count++) budget.startToolCall()
  }
  const doubt = repeatable === true ? { lost } : { again }
  const done = await journaled(journal, { kind: 'tool', request: { name, kind, args }, act, ...doubt })
  if (thread !== undefined) Object.assign(thread, done.thread)
  if (done.observation === undefined) throw new Error(done.failed)
  return done.observation
}

function unknownOutcome(name: string): string {
  return `the outcome of ${name} is unknown: the run was stopped after the call was sent and before its result was recorded. It may have taken effect, so it was not sent again`
}

/**
 * Why arguments do not fit; undefined when they do. Servers may send schemas that we cannot use, for example of older
 * drafts; they then check the arguments themselves. A host schema that is not a JSON Schema refuses everything.
 */
export function argumentFault(
  { kind, inputSchema }: Pick<Callable, 'kind' | 'inputSchema'>,
  args: Value,
): string | undefined {
  if (!isRecord(args)) return `its arguments must be an object, got ${kindOf(args)}`
  const listed = (problems: readonly SchemaProblem[]) => describeProblems(problems, runtimeLimits.argumentProblems)
  const validator = compileSchema(inputSchema)
  if (!validator.ok) return kind === 'mcp' ? undefined : `its schema is not a JSON Schema: ${listed(validator.error)}`
  const judged = validator.value(args)
  return judged.ok ? undefined : `its arguments do not fit: ${listed(judged.error)}`
}
