/** One document for each policy, with every field of the format in at least one of them. */
import { cloneValue, type Path, setOwn, type Value, type ValueRecord, writeYaml } from '@joust/source'
import type { StandardPolicyId } from '../src/index.ts'

const metadata: ValueRecord = { id: 'sample', name: 'Sample', version: '1.0.0', description: 'Does things.' }

const query: ValueRecord = { type: 'object', required: ['query'], properties: { query: { type: 'string' } } }

const agents = (...aliases: string[]): ValueRecord => ({
  local_agents: aliases.map((alias) => ({ alias, source: `./${alias}.agf.yaml` })),
})

function agent(id: StandardPolicyId, config: ValueRecord, rest: ValueRecord = {}): ValueRecord {
  return {
    schema_version: '1.0.0',
    metadata,
    interface: { input: query, output: { type: 'object' } },
    execution_policy: { id, config },
    ...rest,
  }
}

const react = agent(
  'agf.react',
  {
    instructions: 'Answer.',
    model: 'some-model',
    provider: 'some-provider',
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    max_output_tokens: 100,
    stop_sequences: ['END'],
    max_steps: 5,
    tool_choice: 'auto',
    user_prompt_template: '{{query}}',
  },
  {
    metadata: {
      ...metadata,
      authors: ['An author'],
      license: 'MIT',
      labels: { team: 'a' },
      annotations: { note: 'b' },
      homepage: 'https://example.org/',
      data_classification: 'internal',
      namespace: 'org.example',
    },
    memory: { required: true },
    constraints: {
      tighten_only_invariant: true,
      budget: { max_token_usage: 1000, max_duration_seconds: 60 },
      limits: { max_llm_calls: 10, max_tool_calls: 0, max_delegation_depth: 2 },
      governance_policies: [{ policy_ref: 'org.team.policy-1', required: false, description: 'Why.' }],
    },
    action_space: {
      local_tools: [
        {
          alias: 'pay',
          name: 'Pay',
          description: 'Pays.',
          approval: {
            message_template: 'Pay {{tool_args.amount}}?',
            condition: [
              { args_match: { amount: { gt: 1, gte: 2, lt: 9, lte: 8, ne: 5 }, currency: 'EUR' } },
              { args_match: { to: { pattern: '^x', in: ['a', 1, true], not_in: [2] }, urgent: true, count: 3 } },
            ],
          },
        },
      ],
      mcp_servers: [
        {
          alias: 'files',
          server_ref: 'org.example.files',
          description: 'Files.',
          allowed_tools: ['read', { name: 'write', approval: true }],
          approval: false,
        },
      ],
      local_agents: [
        {
          alias: 'helper',
          source: './helper.agf.yaml',
          source_type: 'file',
          description: 'Helps.',
          approval: { condition: { args_match: {} } },
          memory_scope_strategy: 'isolated',
        },
      ],
      remote_agents: [
        {
          alias: 'partner',
          description: 'Elsewhere.',
          input_modes: ['text/plain'],
          output_modes: ['application/json'],
          allowed_skills: ['search', { id: 'buy', approval: {} }],
          approval: true,
        },
      ],
    },
  },
)

const steps = [
  { agent: 'first_one', input_mapping: { query: 'parent.input.query' } },
  { agent: 'second', input_mapping: { query: 'first_one.output.query' } },
]

/** The documents by policy. They are shared, so change only copies. */
export const validDocuments: { readonly [Id in StandardPolicyId]: ValueRecord } = {
  'agf.react': react,
  'agf.sequential': agent(
    'agf.sequential',
    { steps, output_from: 'last' },
    { action_space: agents('first_one', 'second') },
  ),
  'agf.parallel': agent(
    'agf.parallel',
    {
      agents: [{ agent: 'first_one' }, { agent: 'second', input_mapping: {} }],
      output_from: { strategy: 'merge', description: 'All of them.' },
    },
    { action_space: agents('first_one', 'second') },
  ),
  'agf.loop': agent(
    'agf.loop',
    {
      steps,
      max_iterations: 3,
      exit_condition: { args_match: { 'second.output.score': { gte: 0.5 } } },
      output_from: { agent: 'second' },
    },
    { action_space: agents('first_one', 'second') },
  ),
  'agf.batch': agent(
    'agf.batch',
    { agent: 'worker', input_mapping: { query: 'parent.input.items.[].name' }, max_batch_count: 0 },
    { action_space: agents('worker') },
  ),
  'agf.conditional': agent(
    'agf.conditional',
    {
      routes: [
        {
          when: [{ args_match: { 'parent.input.query': 'a' } }],
          agent: 'first_one',
          input_mapping: { query: 'parent.input.query' },
        },
      ],
      default_agent: 'second',
    },
    { action_space: agents('first_one', 'second') },
  ),
}

/** A copy of a document with one place set, or removed when the value is undefined. */
export function edited(document: ValueRecord, path: Path, value: Value | undefined): ValueRecord {
  const copy = cloneValue(document)
  let at: object = copy
  for (const step of path.slice(0, -1)) {
    const next = Object.getOwnPropertyDescriptor(at, step)?.value
    if (typeof next !== 'object' || next === null) throw new Error(`there is nothing at ${path.join('.')}`)
    at = next
  }
  const last = String(path.at(-1))
  if (value === undefined && Array.isArray(at)) at.splice(Number(last), 1)
  else if (value === undefined) Reflect.deleteProperty(at, last)
  else setOwn(at, last, value)
  return copy
}

/** A document as text. */
export function textOf(document: Value): string {
  return writeYaml(document)
}
