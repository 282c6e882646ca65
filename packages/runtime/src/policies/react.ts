/** `agf.react`: calls a model and its tools until it answers (decision 0019, OPEN-48). */
import type { ReactConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { ClientToolsCalled } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import { readOutput } from '../react/output.ts'
import { user } from '../react/prompt.ts'
import { runCalls } from '../react/run-calls.ts'
import { ask, openSession, type Session } from '../react/session.ts'
import { buildStepTools, noTools, type StepTools } from '../react/step-tools.ts'

/** The end of a step. `repair`: the answer is invalid. `close`: only the closing call is left. */
type StepEnd =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'again' }
  | { readonly kind: 'repair'; readonly problem: string }
  | { readonly kind: 'close'; readonly limit?: RunFailure }

/** Runs up to `max_steps` steps, each a model call and its tool calls. If there is no answer, makes a closing call. */
export async function runReact(call: PolicyCall<ReactConfig>): Promise<Value> {
  const session = await openSession(call)
  const { config, context } = session
  const steps = config.max_steps ?? runtimeLimits.reactSteps
  let problem: string | undefined
  for (let step = 0; step < steps; step++) {
    context.emit({ type: 'step-started', step })
    const end = await runStep(session, step, problem !== undefined)
    context.emit({ type: 'step-finished', step })
    if (end.kind === 'answer') return end.value
    if (end.kind === 'close') return close(session, steps, end.limit)
    // A repair fails if the model calls tools instead of answering.
    if (end.kind === 'again' && problem !== undefined && config.tool_choice !== 'required')
      throw invalidOutput(session, problem)
    if (end.kind === 'again') continue
    // Only one repair, and only if a step is left.
    if (problem !== undefined || step === steps - 1) throw invalidOutput(session, end.problem)
    problem = end.problem
  }
  return close(session, steps, undefined)
}

async function runStep(session: Session, step: number, repairing: boolean): Promise<StepEnd> {
  const tools = await toolsOf(session, step, repairing)
  const reply = await ask(session, step, tools)
  if (reply.calls.length > 0) return runTools(session, reply.calls, tools)
  // With `required`, the answer must be a call, so a text answer leads to the closing call.
  if (tools.final) return { kind: 'close' }
  const output = readOutput(reply.text, session.output)
  if (output.ok) return { kind: 'answer', value: output.value }
  session.messages.push(user([`That answer cannot be used: ${output.error}. Give the whole answer again, corrected.`]))
  return { kind: 'repair', problem: output.error }
}

/** Returns the tools of a step. A repair has no tools unless the answer itself is a tool call. */
async function toolsOf(
  { config, context, output, callables, first, clientTools }: Session,
  step: number,
  repairing: boolean,
): Promise<StepTools> {
  const required = config.tool_choice === 'required'
  if (config.tool_choice === 'none' || (repairing && !required)) return noTools
  return buildStepTools(step === 0 ? first : await callables.list(context.signal), clientTools, output, required)
}

async function runTools(session: Session, calls: Parameters<typeof runCalls>[0], tools: StepTools): Promise<StepEnd> {
  const results = await runCalls(calls, tools, session.output, session.context)
  if (results.message.content.length > 0) session.messages.push(results.message)
  if (results.final !== undefined) return { kind: 'answer', value: results.final.value }
  if (results.clientCalls.length > 0) throw new ClientToolsCalled(results.clientCalls)
  if (results.limit !== undefined) return { kind: 'close', limit: results.limit }
  return results.invalid === undefined ? { kind: 'again' } : { kind: 'repair', problem: results.invalid }
}

/**
 * Makes the closing call without tools, which counts towards the limits. If there is no output, the run fails for the
 * original reason.
 */
async function close(session: Session, step: number, limit: RunFailure | undefined): Promise<Value> {
  session.messages.push(user(['No more tools can be called. Give your final answer now.']))
  const reply = await ask(session, step, noTools)
  const output = reply.calls.length > 0 ? undefined : readOutput(reply.text, session.output)
  if (output?.ok === true) return output.value
  if (limit !== undefined) throw limit
  const reason = output === undefined ? 'the model requests more tools' : output.error
  const message = `no final answer after max_steps (${step}): ${reason}`
  const details = { max_steps: step }
  throw new RunFailure({ code: 'max_steps_exceeded', message, agent: session.context.path, details })
}

function invalidOutput({ context }: Session, problem: string): RunFailure {
  const message = `the output of ${context.agent.document.metadata.id} is invalid: ${problem}`
  return new RunFailure({ code: 'output_validation', message, agent: context.path })
}
