/** `agf.react`: a model that reasons and calls tools until it answers (OPEN-48). */

import type { ReactConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { ClientToolsCalled } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import { emptyOffer, makeOffer, type Offer } from '../react/offer.ts'
import { readOutput } from '../react/output.ts'
import { user } from '../react/prompt.ts'
import { runCalls } from '../react/run-calls.ts'
import { ask, openSession, type Session } from '../react/session.ts'

/** How a step ended. `repair`: with an answer that does not fit; `close`: only the closing call remains. */
type StepEnd =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'again' }
  | { readonly kind: 'repair'; readonly fault: string }
  | { readonly kind: 'close'; readonly limit?: RunFailure }

/** Runs up to `max_steps` steps, each a model call and its tool calls, then the closing call if one is due. */
export async function runReact(call: PolicyCall<ReactConfig>): Promise<Value> {
  const session = await openSession(call)
  const { config, context } = session
  const steps = config.max_steps ?? runtimeLimits.reactSteps
  let fault: string | undefined
  for (let step = 0; step < steps; step++) {
    context.emit({ type: 'step-started', step })
    const end = await runStep(session, step, fault !== undefined)
    context.emit({ type: 'step-finished', step })
    if (end.kind === 'answer') return end.value
    if (end.kind === 'close') return close(session, steps, end.limit)
    // A repair that calls tools instead of answering has failed.
    if (end.kind === 'again' && fault !== undefined && config.tool_choice !== 'required')
      throw invalidOutput(session, fault)
    if (end.kind === 'again') continue
    // One repair round, and only while there are steps left.
    if (fault !== undefined || step === steps - 1) throw invalidOutput(session, end.fault)
    fault = end.fault
  }
  return close(session, steps, undefined)
}

async function runStep(session: Session, step: number, repairing: boolean): Promise<StepEnd> {
  const offer = await offerOf(session, step, repairing)
  const reply = await ask(session, step, offer)
  if (reply.calls.length > 0) return runTools(session, reply.calls, offer)
  // Under `required` every step calls something, so the tool that takes the answer must be among the choices.
  if (offer.final) return { kind: 'close' }
  const output = readOutput(reply.text, session.output)
  if (output.ok) return { kind: 'answer', value: output.value }
  session.messages.push(user([`That answer cannot be used: ${output.error}. Give the whole answer again, corrected.`]))
  return { kind: 'repair', fault: output.error }
}

/** An answer is repaired without tools, unless answers are given by a tool. */
async function offerOf(
  { config, context, output, callables, first, clientTools }: Session,
  step: number,
  repairing: boolean,
): Promise<Offer> {
  const required = config.tool_choice === 'required'
  if (config.tool_choice === 'none' || (repairing && !required)) return emptyOffer
  return makeOffer(step === 0 ? first : await callables.list(context.signal), clientTools, output, required)
}

async function runTools(session: Session, calls: Parameters<typeof runCalls>[0], offer: Offer): Promise<StepEnd> {
  const results = await runCalls(calls, offer, session.output, session.context)
  if (results.message.content.length > 0) session.messages.push(results.message)
  if (results.final !== undefined) return { kind: 'answer', value: results.final.value }
  if (results.clientCalls.length > 0) throw new ClientToolsCalled(results.clientCalls)
  if (results.limit !== undefined) return { kind: 'close', limit: results.limit }
  return results.invalid === undefined ? { kind: 'again' } : { kind: 'repair', fault: results.invalid }
}

/**
 * One model call without tools. It counts towards the limits; when it gives no output, the run fails for the reason
 * that led here.
 */
async function close(session: Session, step: number, limit: RunFailure | undefined): Promise<Value> {
  session.messages.push(user(['No more tools can be called. Give your final answer now.']))
  const reply = await ask(session, step, emptyOffer)
  const output = reply.calls.length > 0 ? undefined : readOutput(reply.text, session.output)
  if (output?.ok === true) return output.value
  if (limit !== undefined) throw limit
  const reason = output === undefined ? 'it asks for more tools' : output.error
  const message = `no answer after max_steps (${step}): ${reason}`
  throw new RunFailure({
    code: 'max_steps_exceeded',
    message,
    agent: session.context.path,
    details: { max_steps: step },
  })
}

function invalidOutput({ context }: Session, fault: string): RunFailure {
  const message = `the output of ${context.agent.document.metadata.id} is not valid: ${fault}`
  return new RunFailure({ code: 'output_validation', message, agent: context.path })
}
