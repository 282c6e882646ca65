/** Shapes of `bindings` in `joust.yaml`, used by the reader and the JSON Schema. */
import { type ObjectShape, shapes } from '@joust/source'

export const PROJECT_FILE = 'joust.yaml'

const { boolean, choice, count, enumeration, list, map, number, object, optional, required, text } = shapes

/** A server that Joust starts as a process. */
export const commandShape: ObjectShape = object({
  command: required(text),
  args: optional(list(text)),
  env: optional(map(text)),
  cwd: optional(text),
  use_home: optional(boolean),
  timeout_seconds: optional(number),
})

/** A server or remote agent that is already running. */
export const addressShape: ObjectShape = object({
  url: required(text),
  headers: optional(map(text)),
  timeout_seconds: optional(number),
})

/** A model that replays a script. */
export const scriptShape: ObjectShape = object({ script: required(text) })

/** A model on a server with an OpenAI-compatible API. */
export const servedShape: ObjectShape = object({
  base_url: required(text),
  api_key: optional(text),
  model: optional(text),
})

/** An export of a module, as a local tool. */
export const toolShape: ObjectShape = object({ module: required(text), export: optional(text) })

export const memoryShape: ObjectShape = object({
  file: optional(text, 'a file that several processes may share'),
  postgresql: optional(text, 'the URL of a database, such as the campaign database'),
  turns: optional(count(1), 'turns kept per scope; 100 by default'),
})

export const folderShape: ObjectShape = object({
  folder: required(text, 'a folder with one policy per file: REF.yaml, REF.yml or REF.json'),
})

/** A governance registry at a URL. */
export const registryShape: ObjectShape = object({
  ...addressShape.fields,
  implicit: optional(boolean, 'also requests policies that apply even if the agent does not refer to them'),
})

export const settingsShape: ObjectShape = object({
  model_timeout_seconds: optional(number, 'timeout of a model call attempt, and between parts of a streamed answer'),
  tool_timeout_seconds: optional(number, 'timeout of a call to a tool or remote agent'),
  connect_timeout_seconds: optional(number, 'timeout for opening a connection or querying the registry'),
  retries: optional(count(), 'retries per model call'),
  batch_width: optional(count(1), 'number of batch items processed concurrently'),
  limits: optional(
    map(number),
    "limits on every run, such as max_llm_calls: 20; they can only tighten the agent's limits",
  ),
})

/** All of `bindings`. */
export const bindingsShape: ObjectShape = object(
  {
    models: optional(map(choice(choice(scriptShape, servedShape, ['script']), text))),
    module: optional(text),
    tools: optional(map(toolShape)),
    mcp_servers: optional(map(choice(commandShape, addressShape, ['command']))),
    remote_agents: optional(map(addressShape)),
    transforms: optional(map(toolShape), 'functions that implement custom_transform, by name'),
    policies: optional(map(toolShape), 'execution policies with an x- id'),
    memory: optional(choice(memoryShape, enumeration(['process'])), 'the memory of agents'),
    governance: optional(choice(folderShape, registryShape, ['folder']), 'the registry of governance policies'),
    prices: optional(map(text), 'dollars per million input and output tokens, by model: openai/gpt-5: "1.25,10"'),
    settings: optional(settingsShape, 'timeouts, retries and limits of agent runs'),
  },
  'none',
  { name: 'bindings', about: 'The models, tools and servers behind the aliases in agent files.' },
)

/**
 * Returns the field names of a shape.
 *
 * @example
 * console.log(namesIn(bindingsShape))
 */
export function namesIn({ fields }: ObjectShape): readonly string[] {
  return Object.keys(fields)
}
