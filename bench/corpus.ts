/** Generates OATF documents, indicators and messages for both sides of the benchmark. */
import { Random } from './random.ts'

/** Generates YAML documents of all forms, a few kilobytes each. */
export function makeDocuments(count: number): string[] {
  const random = new Random(20261115)
  return Array.from({ length: count }, (_, index) => makeDocument(random, index))
}

function makeDocument(random: Random, index: number): string {
  const id = `BENCH-${String(index + 1).padStart(3, '0')}`
  const phases = random.between(1, 4)
  return `oatf: "0.1"
attack:
  id: ${id}
  name: "${random.words(4)}"
  version: ${random.between(1, 9)}
  status: ${random.pick(['draft', 'experimental', 'stable'])}
  author: bench
  description: |
    ${random.words(30)}
    ${random.words(25)}
  severity:
    level: ${random.pick(['low', 'medium', 'high', 'critical'])}
    confidence: ${random.between(0, 100)}
  impact: [${random.pick(['data_exfiltration', 'credential_theft'])}, behavior_manipulation]
  classification:
    category: ${random.pick(['capability_poisoning', 'response_fabrication', 'temporal_manipulation'])}
    mappings:
      - { framework: atlas, id: AML.T0051 }
      - { framework: owasp_mcp, id: MCP-03, relationship: related }
    tags: [injection, multi-phase]
  execution:
    mode: mcp_server
    phases:
${Array.from({ length: phases }, (_, phase) => makePhase(random, phase, phase === phases - 1)).join('')}
  indicators:
${Array.from({ length: random.between(2, 6) }, (_, number) => makeIndicatorYaml(random, id, number)).join('')}
  correlation:
    logic: ${random.pick(['any', 'all'])}
`
}

function makePhase(random: Random, phase: number, last: boolean): string {
  const tools = Array.from(
    { length: random.between(1, 4) },
    (_, tool) => `            - name: tool_${tool}
              description: "${random.words(20)}"
              inputSchema:
                type: object
                properties:
                  path: { type: string }
                  limit: { type: integer }
                required: [path]
              responses:
                - when: { arguments.path: { regex: "^/(etc|home)/" } }
                  content:
                    content:
                      - type: text
                        text: "${random.words(12)} {{request.arguments.path}}"
                - content:
                    content:
                      - type: text
                        text: "${random.words(8)} {{captured}}"
`,
  ).join('')
  const trigger = last
    ? ''
    : `        trigger:\n          event: tools/call\n          count: ${random.between(1, 3)}\n          after: 5m\n`
  return `      - name: step_${phase}
        state:
          instructions: "${random.words(10)}"
          tools:
${tools}        extractors:
          - { name: captured, source: request, type: json_path, selector: "$.arguments.path" }
          - { name: token, source: response, type: regex, selector: "key=([a-z0-9]+)" }
${trigger}`
}

function makeIndicatorYaml(random: Random, id: string, number: number): string {
  const detection = random.pick([
    `      pattern: { contains: "${random.words(1)}" }\n`,
    '      pattern: { regex: "(id_rsa|passwd|\\\\.env)" }\n',
    '      pattern:\n        target: arguments.path\n        condition: { starts_with: "/home", ends_with: ".pem" }\n',
    '      expression:\n        cel: "has(message.arguments) && message.arguments.path.startsWith(\'/etc\')"\n',
  ])
  return `    - id: ${id}-${String(number + 1).padStart(2, '0')}
      surface: tools/call
      target: arguments
      direction: request
${detection}      confidence: ${random.between(50, 100)}
`
}

/** Generates normalized indicators as JSON: strings, literal and other regular expressions, numbers, CEL. */
export function makeIndicators(count: number): { readonly [key: string]: unknown }[] {
  const random = new Random(7)
  return Array.from({ length: count }, (_, index) => {
    const base = { id: `BENCH-001-${String(index + 1).padStart(3, '0')}`, protocol: 'mcp', surface: 'tools/call' }
    const target = random.pick(['arguments', 'arguments.path', 'content[*].text', 'tools[*].description', 'name'])
    if (index % 10 === 9) return { ...base, target, expression: { cel: random.pick(celExpressions) } }
    return { ...base, target, pattern: { target, condition: makeCondition(random, index) } }
  })
}

const celExpressions = [
  "has(message.name) && message.name.startsWith('tool_1')",
  "has(message.content) && message.content.exists(c, c.text.contains('passwd'))",
  'has(message.arguments) && message.arguments.limit > 90',
]

function makeCondition(random: Random, index: number): unknown {
  switch (index % 5) {
    case 0:
      return { contains: random.words(2) }
    case 1:
      return { regex: `(id_rsa|passwd|${random.words(1)}ing)` }
    case 2:
      return { regex: `(?i)\\b${random.words(1)}\\s+[a-z]+ing\\b|[0-9]{4}-[0-9]{4}` }
    case 3:
      return { any_of: [random.words(1), `tool_${random.between(0, 9)}`] }
    default:
      return { starts_with: '/home', contains: random.words(1) }
  }
}

/** Generates messages as JSON values: tool calls, tool results, tool lists. */
export function makeMessages(count: number): { readonly [key: string]: unknown }[] {
  const random = new Random(11)
  return Array.from({ length: count }, (_, index) => {
    if (index % 3 === 0) {
      return {
        name: `tool_${random.between(0, 9)}`,
        arguments: {
          path: `/home/${random.words(1)}/${random.words(1)}.pem`,
          limit: random.between(0, 100),
          note: random.words(12),
        },
      }
    }
    if (index % 3 === 1)
      return {
        content: [
          { type: 'text', text: random.words(60) },
          { type: 'text', text: random.words(30) },
        ],
      }
    return { tools: Array.from({ length: 5 }, (_, tool) => ({ name: `tool_${tool}`, description: random.words(25) })) }
  })
}
