/** `output_from`: builds a policy's output from its sub-agents' outputs (decision 0019, OPEN-26 to OPEN-29). */
import { type OutputFrom, type OutputStrategy, selectOutput } from '@joust/agentformat'
import { abortable } from '@joust/io'
import { deepEqual, isRecord, kindOf, own, setOwn, type Value, type ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { type RunCode, RunFailure } from '../model/errors.ts'
import { toValue } from '../model/json-value.ts'
import type { StepRecord } from './step-input.ts'

/** Builds the output. `records` is in declaration order, not in order of completion. */
export async function buildOutput(
  from: OutputFrom | undefined,
  fallback: OutputStrategy,
  records: readonly StepRecord[],
  context: AgentContext,
): Promise<Value> {
  const selection = selectOutput(from, fallback)
  switch (selection.kind) {
    case 'agent':
      return outputOf(
        records.findLast((record) => record.alias === selection.alias),
        `output_from refers to ${selection.alias}, which no step runs`,
        context,
      )
    case 'custom_transform':
      return transform(selection.name, records, context)
    case 'strategy':
      if (selection.strategy === 'merge') return merge(records, context)
      return outputOf(selection.strategy === 'first' ? records[0] : records.at(-1), 'the policy has no steps', context)
  }
}

function outputOf(record: StepRecord | undefined, otherwise: string, context: AgentContext): Value {
  if (record !== undefined) return record.output
  throw fail('unknown_agent', otherwise, context)
}

function merge(records: readonly StepRecord[], context: AgentContext): ValueRecord {
  const merged = {}
  const writers = new Map<string, string>()
  for (const { alias, output } of records) {
    if (!isRecord(output)) {
      const message = `cannot merge the output of ${alias}: expected an object, got ${kindOf(output)}`
      throw fail('type_mismatch', message, context)
    }
    for (const [key, value] of Object.entries(output)) {
      const before = own(merged, key)
      const collides = before !== undefined && !deepEqual(before, value)
      if (collides && context.options.mergeCollision !== 'last') {
        const message = `${writers.get(key)} and ${alias} return different values for ${JSON.stringify(key)}`
        throw fail('merge_conflict', message, context)
      }
      setOwn(merged, key, value)
      writers.set(key, alias)
    }
  }
  return merged
}

async function transform(name: string, records: readonly StepRecord[], context: AgentContext): Promise<Value> {
  const { transforms = {} } = context.options
  const run = Object.hasOwn(transforms, name) ? transforms[name] : undefined
  if (run === undefined) throw fail('unknown_transform', `unknown transform ${JSON.stringify(name)}`, context)
  const outputs = records.map(({ alias, index, output }) => ({ agent: alias, index, output }))
  const result = toValue(await abortable(context.signal, () => run(outputs)))
  if (result.ok) return result.value
  throw fail('agent_failed', `transform ${JSON.stringify(name)} did not return valid JSON: ${result.error}`, context)
}

function fail(code: RunCode, message: string, context: AgentContext): RunFailure {
  return new RunFailure({ code, message, agent: context.path })
}
