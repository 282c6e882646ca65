/** Agent files for tests. */

/** The parts of an agent that a test cares about, as YAML in flow style. */
export interface AgentParts {
  readonly id?: string
  readonly input?: string
  readonly output?: string
  readonly policy?: string
  readonly actions?: string
}

const REACT = '{ id: agf.react, config: { instructions: Help the user., model: sim/cautious } }'

/** The text of an agent; by default one that answers a text with a text. */
export function agentText(parts: AgentParts = {}): string {
  const { id = 'helper', input = '{ type: string }', output = '{ type: string }', policy = REACT, actions } = parts
  const head = `schema_version: 1.0.0
metadata: { id: ${id}, name: ${id}, version: 1.0.0, description: Helps. }
interface: { input: ${input}, output: ${output} }
execution_policy: ${policy}
`
  return actions === undefined ? head : `${head}action_space: ${actions}\n`
}

/** An agent that runs others one after the other; by default it passes its input on. */
export function teamText(...sources: readonly string[]): string {
  const steps = sources.map((_, index) => `{ agent: step_${index} }`)
  const agents = sources.map((source, index) => `{ alias: step_${index}, source: ${source} }`)
  return agentText({
    id: 'team',
    policy: `{ id: agf.sequential, config: { steps: [${steps.join(', ')}] } }`,
    actions: `{ local_agents: [${agents.join(', ')}] }`,
  })
}

/** An agent with a tool that needs approval, its configuration and the tool. */
export const greeter = {
  'a.agf.yaml': agentText({
    actions: '{ local_tools: [{ alias: greet, description: Greet a person., approval: true }] }',
  }),
  'joust.yaml': 'bindings: { tools: { greet: { module: ./tools.mjs } } }\n',
  'tools.mjs': `export const greet = {
  inputSchema: { type: 'object', properties: { person: { type: 'string' } }, required: ['person'] },
  call: ({ person }) => 'hello ' + person,
}
`,
}

/** Makes the greeter greet. */
export const GREET = '"Greet the person \\"Ann\\"."'
