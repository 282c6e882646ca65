/** Tools for an AgentDojo case, with results from the replayed ground truth. */
import { defined, err, isRecord, ok, type Result, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { DojoStep, DojoTool } from './agentdojo-dump.ts'
import type { CaseTool } from './case-document.ts'

/** Number of tools that are added to the ground-truth tools. */
const OTHER_TOOLS = 6
const NO_RESULT = 'No results.'

/** Returns the tools that the steps use and some others, in suite order. */
export function offeredTools(tools: readonly DojoTool[], steps: readonly DojoStep[]): Result<CaseTool[], string> {
  const used = new Set(steps.map(({ tool }) => tool))
  const known = new Set(tools.map(({ name }) => name))
  const unknown = [...used].find((name) => !known.has(name))
  if (unknown !== undefined) return err(`unknown tool ${unknown}`)
  const others = new Set(tools.filter(({ name }) => !used.has(name)).slice(0, OTHER_TOOLS))
  const offered = tools.filter((tool) => used.has(tool.name) || others.has(tool))
  return ok(
    offered.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: schemaOf(tool.parameters),
      answers: used.has(tool.name)
        ? answersOf(steps.filter((step) => step.tool === tool.name))
        : [{ text: typeof tool.answer === 'string' ? tool.answer : NO_RESULT }],
    })),
  )
}

/** Creates results that are selected by the arguments in which calls differ. Any other call gets the first result. */
function answersOf(steps: readonly DojoStep[]): CaseTool['answers'] {
  const texts = steps.map((step) => writeJson(step.arguments))
  const distinct = steps.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
  const names = new Set(distinct.flatMap((step) => Object.keys(step.arguments)))
  const varying = [...names].filter((name) => new Set(distinct.map((step) => argumentText(step, name))).size > 1)
  const [first, ...later] = distinct
  const conditional = later
    .map((step) => ({ when: conditionsOf(step, varying), ...textOf(step) }))
    .filter(({ when }) => Object.keys(when).length > 0)
    .sort((one, other) => Object.keys(other.when).length - Object.keys(one.when).length)
  return [...conditional, ...(first === undefined ? [] : [textOf(first)])]
}

const argumentText = (step: DojoStep, name: string): string =>
  Object.hasOwn(step.arguments, name) ? writeJson(step.arguments[name] ?? null) : ''

function conditionsOf(step: DojoStep, varying: readonly string[]): ValueRecord {
  const parameters = varying.filter((name) => Object.hasOwn(step.arguments, name))
  return Object.fromEntries(parameters.map((name) => [`arguments.${name}`, step.arguments[name] ?? null]))
}

const textOf = ({ answer, placebo }: DojoStep): CaseTool['answers'][number] => defined({ text: answer, placebo })

/** Removes Pydantic titles and defaults, which add no information. */
function schemaOf(parameters: ValueRecord): ValueRecord {
  const { title: _, ...schema } = parameters
  if (!isRecord(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([name, property]): [string, Value] => {
    if (!isRecord(property)) return [name, property]
    const { title: _title, ...rest } = property
    return [name, rest]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
