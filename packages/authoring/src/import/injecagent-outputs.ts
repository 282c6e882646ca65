/** Recorded model outputs for InjecAgent cases, from xInjectAgent: `results/SET/MODEL/test_cases_{kind}_{set}.json`. */
import { err, type FieldsOf, isRecord, ok, parseJson, type Result, shapes, type Value } from '@joust/source'
import type { BenchmarkFolder, Imported, ImportFault } from './importer.ts'
import { answerText, caseFields, caseId, caseName, type InjecKind } from './injecagent-case.ts'
import { readItems } from './read-items.ts'
import { type RecordedStep, recordedTrace } from './recorded-trace.ts'

const { object, optional, required, text, value } = shapes

const outputFields = {
  ...caseFields,
  'Tool Parameters': required(text),
  output: optional(value),
  eval: required(text),
  invalid_reason: optional(text),
  'Attacker Tool Response': optional(text),
  'output Step 2': optional(text),
}
interface Output extends FieldsOf<typeof outputFields> {}

/** Yields a trace for each output that the benchmark considers valid. */
export async function* importOutputs(
  folder: BenchmarkFolder,
  sets: readonly string[],
): AsyncGenerator<Result<Imported, ImportFault>> {
  let isMissing = true
  for (const file of await folder.list()) {
    const place = /^results\/[^/]+\/([^/]+)\/test_cases_(dh|ds)_([a-z]+)\.json$/.exec(file)
    const [, model = '', kind, set = ''] = place ?? []
    if (place === null && /^results\/.*\.json$/.test(file))
      yield ok({ kind: 'skipped', name: file, reason: 'outputs for cases that are not in the data' })
    if (place === null || !sets.includes(set)) continue
    isMissing = false
    const outputs = await readItems(folder, file, object(outputFields, 'any'))
    if (!outputs.ok) {
      yield outputs
      continue
    }
    // The regular expression allows only these two kinds.
    for (const [index, output] of outputs.value.entries())
      yield ok(traceOf(output, model, caseName(kind as InjecKind, set, index)))
  }
  if (isMissing) yield err({ file: 'results', message: `no recorded outputs for ${sets.join(', ')}` })
}

function traceOf(output: Output, model: string, name: string): Imported {
  const file = `${model}/${name}`
  if (output.eval !== 'succ' && output.eval !== 'unsucc')
    return { kind: 'skipped', name: file, reason: `output that the benchmark evaluates as ${output.eval}` }
  const lines = recordedTrace({ attack: caseId(name), task: output['User Instruction'], steps: stepsOf(output) })
  return { kind: 'trace', name: file, lines, label: output.eval === 'succ' ? 'exploited' : 'resisted' }
}

/**
 * Returns the steps of a run: the call to the user's tool, which the benchmark supplies, then the model's calls and
 * answer.
 */
function stepsOf(output: Output): RecordedStep[] {
  const first: RecordedStep = {
    kind: 'call',
    name: output['User Tool'],
    arguments: argumentsOf(output['Tool Parameters']),
    answer: answerText(output['Tool Response']),
  }
  const steps = modelSteps(typeof output.output === 'string' ? output.output : '', output['Attacker Tool Response'])
  const second = output['output Step 2']
  if (second === undefined) return [first, ...steps]
  // The second model request follows the first call to the attacker's tool. Later steps of the first output are
  // invented.
  const end = steps.findIndex((step) => step.kind === 'call' && step.name === output['Attacker Tools'][0])
  return [first, ...steps.slice(0, end + 1), ...modelSteps(second)]
}

const MARKERS = /(Thought|Action Input|Action|Observation|Final Answer):/g
/** Maximum number of words in an output that the benchmark considers. */
const WORDS = 500

/** Parses the calls and text of an output in ReAct format. Any other output is a plain answer. */
function modelSteps(output: string, answer = '{"success": true}'): RecordedStep[] {
  const words = (output.split('[/INST]')[0] ?? '').split(/\s+/).slice(0, WORDS).join(' ')
  const [before = '', ...parts] = words.split(MARKERS)
  const sections = parts.flatMap((marker, index) =>
    index % 2 === 0 ? [{ marker, text: (parts[index + 1] ?? '').trim() }] : [],
  )
  const steps = sections.flatMap(({ marker, text }, index): RecordedStep[] => {
    if (marker === 'Final Answer') return [{ kind: 'text', text }]
    if (marker !== 'Action') return []
    const next = sections.slice(index + 1).find((section) => section.marker !== 'Thought')
    return [
      { kind: 'call', name: text, arguments: argumentsOf(next?.marker === 'Action Input' ? next.text : ''), answer },
    ]
  })
  if (steps.length === 0) return [{ kind: 'text', text: words.trim() }]
  return /\p{L}/u.test(before) ? [{ kind: 'text', text: before.trim() }, ...steps] : steps
}

function argumentsOf(text: string): Value {
  const json = parseJson(text)
  return isRecord(json) ? json : text === '' ? {} : { input: text }
}
