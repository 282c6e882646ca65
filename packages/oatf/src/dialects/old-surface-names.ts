import { TEXTS } from '../bindings/a2a-texts.ts'

/** The operations that an old name covered (all operations if empty), and the target that the name implied. */
export interface OldSurface {
  readonly surfaces: readonly string[]
  readonly target?: string
}

const asking = ['message/send', 'message/stream']
const toolCalls = ['tool_call_start', 'tool_call_args', 'tool_call_end', 'tool_call_chunk', 'tool_call_result']

const surfacesByProtocol: { readonly [protocol: string]: { readonly [name: string]: OldSurface } } = {
  mcp: {
    ...each(['tool_list', 'tool_definition', 'tool_annotations'], ['tools/list']),
    ...each(['tool_description'], ['tools/list'], 'tools[*].description'),
    ...each(['tool_name'], ['tools/list'], 'tools[*].name'),
    ...each(['tool_schema', 'tool_input_schema'], ['tools/list'], 'tools[*].inputSchema'),
    ...each(['tool_call', 'tool_arguments', 'tool_input'], ['tools/call'], 'arguments'),
    ...each(['tool_response', 'tool_result', 'tool_output'], ['tools/call'], 'content[*].text'),
    ...each(['resource_list'], ['resources/list']),
    ...each(['resource_uri'], ['resources/list'], 'resources[*].uri'),
    ...each(['resource_name'], ['resources/list'], 'resources[*].name'),
    ...each(['resource_description'], ['resources/list'], 'resources[*].description'),
    ...each(['resource_content', 'resource_contents'], ['resources/read'], 'contents[*].text'),
    ...each(['prompt_list'], ['prompts/list']),
    ...each(['prompt_name'], ['prompts/list'], 'prompts[*].name'),
    ...each(['prompt_description'], ['prompts/list'], 'prompts[*].description'),
    ...each(['prompt_content', 'prompt_messages'], ['prompts/get'], 'messages[*].content.text'),
    ...each(['prompt_arguments'], ['prompts/get'], 'arguments'),
    ...each(['server_info'], ['initialize'], 'serverInfo'),
    ...each(['client_info'], ['initialize'], 'clientInfo'),
    ...each(['capability', 'capabilities', 'server_capability', 'server_capabilities'], ['initialize'], 'capabilities'),
    ...each(['instructions', 'server_instructions'], ['initialize'], 'instructions'),
    ...each(['sampling', 'sampling_request'], ['sampling/createMessage'], 'messages[*].content.text'),
    ...each(['sampling_response'], ['sampling/createMessage'], 'content.text'),
    ...each(['elicitation', 'elicitation_request'], ['elicitation/create'], 'message'),
    ...each(['elicitation_response'], ['elicitation/create'], 'content'),
    ...each(['roots', 'roots_response', 'roots_list'], ['roots/list'], 'roots[*].uri'),
    ...each(['logging', 'log_message'], ['notifications/message'], 'data'),
    ...each(['notification', 'server_notification', 'client_notification'], []),
  },
  a2a: {
    ...each(['agent_card'], ['agent_card/get'], ''),
    ...each(['card_name', 'agent_name'], ['agent_card/get'], 'name'),
    ...each(['card_description', 'agent_description'], ['agent_card/get'], 'description'),
    ...each(['card_url', 'agent_url'], ['agent_card/get'], 'url'),
    ...each(['skill_name'], ['agent_card/get'], 'skills[*].name'),
    ...each(['skill_description'], ['agent_card/get'], 'skills[*].description'),
    ...each(['task_message', 'task_request'], asking, 'message.parts[*].text'),
    ...each(['task_status'], [...asking, 'tasks/get', 'task/status'], 'status.state'),
    ...each(['task_response', 'task_result'], [...asking, 'tasks/get'], `${TEXTS}[*]`),
    ...each(['task_artifact'], [...asking, 'tasks/get', 'task/artifact'], `${TEXTS}[*]`),
  },
  ag_ui: {
    ...each(['message_history', 'user_message'], ['run_agent_input'], 'messages[*].content'),
    ...each(['tool_definition'], ['run_agent_input'], 'tools[*].description'),
    ...each(['state'], ['run_agent_input'], 'state'),
    ...each(['forwarded_props'], ['run_agent_input'], 'forwardedProps'),
    ...each(['context'], ['run_agent_input'], 'context[*].value'),
    ...each(['tool_result'], ['tool_call_result'], 'content'),
    ...each(['tool_call'], toolCalls, 'toolCallName'),
    ...each(
      ['agent_response', 'agent_message', 'assistant_message'],
      ['text_message_end', 'text_message_content'],
      '_text',
    ),
    ...each(['agent_event'], []),
  },
}

function each(
  names: readonly string[],
  surfaces: readonly string[],
  target?: string,
): { readonly [name: string]: OldSurface } {
  const old = target === undefined ? { surfaces } : { surfaces, target }
  return Object.fromEntries(names.map((name) => [name, old]))
}

export function oldSurface(protocol: string, name: string): OldSurface | undefined {
  const names = Object.hasOwn(surfacesByProtocol, protocol) ? surfacesByProtocol[protocol] : undefined
  return names !== undefined && Object.hasOwn(names, name) ? names[name] : undefined
}

export function oldSurfaceNames(protocol: string): readonly string[] {
  return Object.keys(surfacesByProtocol[protocol] ?? {})
}

export function currentSurfaces(protocol: string, name: string): readonly string[] | undefined {
  return oldSurface(protocol, name)?.surfaces
}
