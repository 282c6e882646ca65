/** Executes one agent in a run: checks the input, runs the policy, checks the output. Values are never coerced. */
import type { Agent } from '@joust/agentformat'
import { formatPath, messageWithHint, type Value } from '@joust/source'
import { openCallables } from '../connections/callables.ts'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import { guardrailDenial } from '../governance/governance.ts'
import { openMemory, remember, withMemory } from '../memory/memory.ts'
import { ClientToolsCalled } from '../model/conversation.ts'
import { RunFailure, throwIfAborted } from '../model/errors.ts'
import { describeProblems, schemaProblems } from '../model/validate-value.ts'
import { runPolicy } from '../policies/table.ts'
import { createDelegate, Delegations } from './delegate.ts'
import { asFailure, type Frame, openBudget } from './frame.ts'

/** Executes an agent. Rejects with a `RunFailure`, or with `ClientToolsCalled` at the root of a served run. */
export async function executeAgent(agent: Agent, input: Value, frame: Frame): Promise<Value> {
  const context = createContext(agent, input, frame)
  const { document } = agent
  context.emit({ type: 'agent-started', id: document.metadata.id, policy: document.execution_policy.id, input })
  try {
    const output = await execute(frame, context)
    context.emit({ type: 'agent-finished', output })
    return output
  } catch (thrown) {
    if (thrown instanceof ClientToolsCalled && !context.signal.aborted) {
      context.emit({ type: 'agent-finished', output: null })
      throw thrown
    }
    const failure = asFailure(thrown, context.signal, context.path)
    context.emit({ type: 'agent-failed', error: failure.error })
    throw failure
  } finally {
    context.budget.close()
  }
}

async function execute(frame: Frame, bare: AgentContext): Promise<Value> {
  const { agent, input, signal, path } = bare
  throwIfAborted(signal, path)
  chargeReplayedSampling(bare)
  await checkInterface(bare, 'input', input)
  const memory = openMemory(agent, frame.memoryScope, bare.options.memory, path)
  const context: AgentContext = { ...bare, memory }
  const conversation = await withMemory(context, frame.conversation, frame.history)
  const delegations = new Delegations()
  const delegate = createDelegate(frame, context, delegations, executeAgent)
  const call: PolicyCall = {
    agent,
    // The document schema requires an object.
    config: agent.document.execution_policy.config as PolicyCall['config'],
    input,
    context,
    delegate,
    openCallables: () => openCallables(frame.run.pool, context, delegate),
    conversation,
  }
  const output = await runPolicy(call).finally(() => delegations.end(path))
  throwIfAborted(signal, path)
  await checkInterface(context, 'output', output)
  await remember(context, output)
  return output
}

/** Counts the usage of sampling requests made during calls that are replayed from the journal. */
function chargeReplayedSampling({ journal, budget }: AgentContext): void {
  for (const usage of journal?.spent() ?? []) {
    budget.startModelCall()
    budget.addTokens(usage)
  }
}

function createContext(agent: Agent, input: Value, frame: Frame): AgentContext {
  const { run, path } = frame
  const { policies, models } = run.prepared
  // A policy that also applies to a parent counts once.
  const bound = [...new Set([...frame.policies, ...(policies.get(agent) ?? [])])]
  const execution = run.execution(frame.execution)
  const emit: AgentContext['emit'] = (event) => run.emit({ ...event, execution }, path, bound)
  const budget = openBudget(agent, frame, emit)
  const { id, clock, random, options, stream, inTurn } = run
  return {
    run: id,
    path,
    execution,
    agent,
    input,
    budget,
    signal: budget.signal,
    clock,
    random,
    options,
    governance: { policies: bound },
    journal: frame.journal,
    stream,
    model: models.get(agent),
    inTurn,
    emit,
    warn: (code, message) => emit({ type: 'warning', code, message }),
  }
}

async function checkInterface(context: AgentContext, side: 'input' | 'output', value: Value): Promise<void> {
  const { agent, path, governance, signal } = context
  const { id } = agent.document.metadata
  const problems = schemaProblems(agent.document.interface[side], value)
  if (problems.length > 0) {
    const message = `the ${side} does not match interface.${side} of ${id}: ${describeProblems(problems)}`
    const details = problems.map((problem) => ({ path: formatPath(problem.path), message: messageWithHint(problem) }))
    throw new RunFailure({ code: `${side}_validation`, message, agent: path, details })
  }
  const denial = await guardrailDenial(governance, { stage: side, agent: path, value }, signal)
  if (denial === undefined) return
  throw new RunFailure({ code: 'guardrail_denied', message: `the ${side} of ${id}: ${denial}`, agent: path })
}
