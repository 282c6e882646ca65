/** Attack targets: commands, endpoints, HTTP services, functions and agents, and their preflight. */

export type { PermissionRule } from './acp/permissions.ts'
export { type ChatOptions, chatAbilities, openChat } from './chat/chat.ts'
export type { Answer, Conversation, OpenConversation, Turn } from './chat/conversations.ts'
export type { Pasteable, RequestPart } from './chat/request.ts'
export { checkPlaceholders, placeholdersIn } from './command/placeholders.ts'
export { placeWords, quoteIn, splitCommand } from './command/split-command.ts'
export { installedVersion, isTried } from './command/version.ts'
export { type CommandTargetOptions, commandTarget } from './command.ts'
export { type CommandEndpoint, type Endpoint, type EndpointTargetOptions, endpointTarget } from './endpoint.ts'
export { checkFunction } from './function/module.ts'
export {
  type AgentFunction,
  type CallTargetOptions,
  type FunctionTargetOptions,
  type FunctionTurn,
  functionTarget,
  type ModuleTargetOptions,
} from './function.ts'
export type { GatewayRun, SlotKind, Slots } from './gateway/gateway-run.ts'
export { createGateway, type Gateway, type GatewayOptions, slotsFor } from './gateway.ts'
export type { HttpPoll, HttpTargetOptions } from './http/request.ts'
export { httpTarget } from './http.ts'
export {
  createModelAccess,
  type ModelAccessOptions,
  type ModelHooks,
  type OpenModel,
  type OpenModelAccess,
} from './models/access.ts'
export { createServedModel, type ServedModel, type ServedModelOptions } from './models/served.ts'
export { type ModelProxySetting, type ModelRoute, modelRoutes, modelVariables } from './models/variables.ts'
export { withPreflight } from './preflight/apply.ts'
export { runPreflight } from './preflight/preflight.ts'
export { type Preset, type PresetFile, presetShape, readPreset } from './presets/preset.ts'
export { findPreset, presets } from './presets/table.ts'
export { createServedAgent, type ServedAgent, servePlaceholders } from './serve/agent.ts'
export type { Restart, ServedAgentOptions, ServeSetting } from './serve/generation.ts'
export type { Disposition, SimulatedHost } from './simulated/host.ts'
export { findSimulatedHost } from './simulated/table.ts'
