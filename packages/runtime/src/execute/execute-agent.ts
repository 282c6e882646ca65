/** One agent within a run: input checked, policy run, output checked. No coercion anywhere. */

import type { Agent } from '@joust/agentformat'
import type { Value } from '@joust/source'
import { openCallables } from '../connections/callables.ts'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import { checkInput, checkOutput } from '../mapping/check-interface.ts'
import { remember, withMemory } from '../memory/recall.ts'
import { openMemory } from '../memory/scope.ts'
import { ClientToolsCalled } from '../model/conversation.ts'
import { throwIfAborted } from '../model/errors.ts'
import { runPolicy } from '../policies/table.ts'
import { createDelegate, Delegations } from './delegate.ts'
import { asFailure, type Frame, openLedger } from './frame.ts'

/** Runs an agent. Rejects with a `RunFailure`, or with `ClientToolsCalled` at the root of a served run. */
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
    context.ledger.close()
  }
}

async function execute(frame: Frame, bare: AgentContext): Promise<Value> {
  const { agent, input, signal, path } = bare
  throwIfAborted(signal, path)
  chargeSpent(bare)
  await checkInput(bare)
  const memory = openMemory(agent, frame.memoryScope, bare.options.memory, path, signal)
  const context: AgentContext = memory === undefined ? bare : { ...bare, memory }
  const conversation = await withMemory(context, frame.conversation)
  const delegations = new Delegations()
  const delegate = createDelegate(frame, context, delegations, executeAgent)
  const call: PolicyCall = {
    agent,
    // The document's schema has checked that it is an object.
    config: agent.document.execution_policy.config as PolicyCall['config'],
    input,
    context,
    delegate,
    openCallables: () => openCallables(frame.run.pool, context, delegate),
    ...(conversation === undefined ? {} : { conversation }),
  }
  const output = await runPolicy(call).finally(() => delegations.end(path))
  throwIfAborted(signal, path)
  await checkOutput(context, output)
  await remember(context, output)
  return output
}

/** What models were asked by servers during calls that are not made again. */
function chargeSpent({ journal, ledger }: AgentContext): void {
  for (const usage of journal?.spent() ?? []) {
    ledger.startModelCall()
    ledger.addTokens(usage)
  }
}

function createContext(agent: Agent, input: Value, frame: Frame): AgentContext {
  const { run, path } = frame
  // A policy that binds a parent as well is one policy.
  const governance = { policies: [...new Set([...frame.governance.policies, ...run.policiesOf(agent)])] }
  const emit: AgentContext['emit'] = (event) => run.emit(event, path, governance)
  const ledger = openLedger(agent, frame, emit)
  return {
    run: run.id,
    path,
    agent,
    input,
    ledger,
    signal: ledger.signal,
    clock: run.clock,
    random: run.random,
    options: run.options,
    governance,
    ...(frame.journal === undefined ? {} : { journal: frame.journal }),
    ...(run.stream === undefined ? {} : { stream: run.stream }),
    model: (config) => run.model(agent, config),
    emit,
    warn: (code, message) => emit({ type: 'warning', code, message }),
  }
}
