/** Shape of `bindings` in `joust.yaml`, for the reader and the JSON Schema. */
import { type ObjectShape, shapes } from '@joust/source'

/** The name of the project file. */
export const PROJECT_FILE = 'joust.yaml'

const { boolean, choice, list, map, number, object, optional, required, text } = shapes

/** A server that is started as a process. */
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

/** A local tool: an export of a module. */
export const toolShape: ObjectShape = object({ module: required(text), export: optional(text) })

/** The whole of `bindings`. */
export const bindingsShape: ObjectShape = object(
  {
    models: optional(map(choice(choice(scriptShape, servedShape, ['script']), text))),
    module: optional(text),
    tools: optional(map(toolShape)),
    mcp_servers: optional(map(choice(commandShape, addressShape, ['command']))),
    remote_agents: optional(map(addressShape)),
  },
  'none',
  { name: 'bindings', about: 'Values for the aliases of agent files on this machine.' },
)

/** Returns the names of the fields of a mapping. */
export function namesIn({ fields }: ObjectShape): readonly string[] {
  return Object.keys(fields)
}
