/** Dispatches one call: governance lists, arguments, guardrails, approval, limits and events. */
import type { SchemaProblem } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { isRecord, kindOf, messageOf, type Value } from '@joust/source'
import { requireApproval } from '../approvals/ask.ts'
import type { AgentContext } from '../context/agent-context.ts'
import { guardrailDenial, toolDenial } from '../governance/governance.ts'
import type { Callable } from '../model/callable.ts'
import { errorObservation, type Observation, type RemoteThread } from '../model/connection.ts'
import { failureOf, isLimitOf, RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import { runtimeLimits } from '../model/limits.ts'
import { describeProblems, validatorOf } from '../model/validate-value.ts'

/**
 * Resolves to a function that makes the call, once the call is approved and counts towards the limits. For a rejected
 * call, which has a `tool-failed` event but no `tool-called` event, the function returns the reason. Failures become
 * observations, except for two that reject with a `RunFailure`: the agent's signal is aborted, or a limit prevents the
 * call (`limit_exceeded`; `agf.react` may then make its closing call).
 */
export async function dispatch(
  callable: Callable,
  args: Value,
  call: string,
  context: AgentContext,
): Promise<() => Promise<Observation>> {
  const { name, kind } = callable
  const emitResult = (observation: Observation): Observation => {
    const { content, isError } = observation
    context.emit({ type: isError ? 'tool-failed' : 'tool-answered', call, name, content })
    return observation
  }
  const refusal = await observed(name, context, () => admit(callable, args, context))
  if (refusal !== undefined) {
    emitResult(refusal)
    return async () => refusal
  }
  return async () => {
    context.emit({ type: 'tool-called', call, name, kind, args })
    return emitResult(await observed(name, context, () => make(callable, args, call, context)))
  }
}

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
  // A delegation is not a tool call (decision 0019, OPEN-34).
  if (callable.kind !== 'agent') context.budget.startToolCall()
  return undefined
}

async function make(callable: Callable, args: Value, call: string, context: AgentContext): Promise<Observation> {
  const { name } = callable
  const observation = await invoke(callable, args, call, context)
  const subject = { stage: 'tool_result', agent: context.path, target: name, value: observation.content } as const
  const denial = await guardrailDenial(context.governance, subject, context.signal)
  return denial === undefined ? observation : errorObservation(`the result of ${name} is withheld: ${denial}`)
}

/** Returns the reason why a call may not start. Throws failures of the agent, such as a denied approval. */
async function refusalOf(callable: Callable, args: Value, context: AgentContext): Promise<string | undefined> {
  const { name, names, kind, approval } = callable
  const denial = kind === 'agent' ? undefined : toolDenial(context.governance, [name, ...names])
  if (denial !== undefined) return denial
  const problem = argumentProblem(callable, args)
  if (problem !== undefined) return problem
  const subject = { stage: 'tool_call', agent: context.path, target: name, value: args } as const
  const guardrail = await guardrailDenial(context.governance, subject, context.signal)
  if (guardrail !== undefined || kind === 'agent') return guardrail
  // Limits are checked before approval, but the call is counted only when it starts. A remote delegation is one level
  // below (OPEN-37).
  if (kind === 'remote') context.budget.enterDelegation()
  context.budget.checkToolCall()
  await requireApproval({ ...approval, target: name, names, args }, context)
  return undefined
}

async function invoke(callable: Callable, args: Value, call: string, context: AgentContext): Promise<Observation> {
  // A sub-agent has its own limits; a timeout here would be reported as its failure.
  if (callable.kind === 'agent') return callable.invoke(args, context.signal, call)
  const { clock, options, signal, journal } = context
  const milliseconds = options.timeouts?.toolMs ?? runtimeLimits.toolMs
  const send = () => startWithin(clock, milliseconds, [signal], (within) => callable.invoke(args, within, call))
  return journal === undefined ? send() : callWithJournal(callable, args, context, send)
}

interface Recorded {
  readonly observation?: Observation
  readonly failed?: string
  readonly thread?: RemoteThread
}

/** Replays a recorded call. Repeats a call with an unknown outcome only if it is `repeatable`. */
async function callWithJournal(
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
  const onUnfinished = repeatable === true ? { lost } : { again }
  const outcome = await journaled(journal, { kind: 'tool', request: { name, kind, args }, act, ...onUnfinished })
  if (thread !== undefined) Object.assign(thread, outcome.thread)
  if (outcome.observation === undefined) throw new Error(outcome.failed)
  return outcome.observation
}

function unknownOutcome(name: string): string {
  return `the outcome of ${name} is unknown because the run was interrupted during the call; the call was not repeated`
}

/**
 * Describes invalid arguments; undefined if they are valid. MCP schemas that cannot be compiled, for example of older
 * drafts, are skipped, because the server checks arguments itself. An invalid schema from the host rejects every call.
 */
export function argumentProblem(
  { kind, inputSchema }: Pick<Callable, 'kind' | 'inputSchema'>,
  args: Value,
): string | undefined {
  if (!isRecord(args)) return `expected an object as arguments, got ${kindOf(args)}`
  const listed = (problems: readonly SchemaProblem[]) => describeProblems(problems, runtimeLimits.argumentProblems)
  const validator = validatorOf(inputSchema)
  if (!validator.ok)
    return kind === 'mcp' ? undefined : `its inputSchema is not a valid JSON Schema: ${listed(validator.error)}`
  const validation = validator.value(args)
  return validation.ok ? undefined : `invalid arguments: ${listed(validation.error)}`
}
