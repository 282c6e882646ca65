/** `@joust/arena/wire`: transports, JSON-RPC and protocol constants, for targets. */

export { createEventStream, type EventStream } from './ag-ui/stream.ts'
export { isSignedCard, KEYS_PATH } from './drivers/a2a/card-signature.ts'
export { a2aCodes, CARD_PATH, cardPaths, interfacesIn, restPaths } from './drivers/a2a/endpoints.ts'
export { publicKey } from './drivers/a2a/jws.ts'
export {
  changed,
  changedAll,
  modernRequest,
  olderConfiguration,
  olderRequest,
  olderResponse,
  translator,
} from './drivers/a2a/versions.ts'
export { createA2aClientDriver } from './drivers/a2a-client/driver.ts'
export { minimalCard } from './drivers/a2a-server/agent-card.ts'
export { restRequest } from './drivers/a2a-server/modern.ts'
export { createAgUiClientDriver } from './drivers/ag-ui-client/driver.ts'
export type { Driver, DriverContext, Scene, Stage } from './drivers/driver.ts'
export { checkPage } from './drivers/guard.ts'
export { requestText, sendEmpty, sendJson } from './drivers/http-body.ts'
export {
  type Answered,
  failure,
  type JsonRpcMessage,
  type JsonRpcResponse,
  jsonRpcCodes,
  messagesOf,
  readMessage,
  readValue,
  writeAnswer,
  writeNotification,
  writeRequest,
} from './drivers/json-rpc.ts'
export { answerPlainly, type PlainServer } from './drivers/mcp/plain-server.ts'
export { META, MODERN_VERSION, RESOURCE_NOT_FOUND, SESSION_HEADER } from './drivers/mcp/protocol.ts'
export { modernHeaders } from './drivers/mcp-client/modern.ts'
export {
  connectPlainly,
  type PlainClientOptions,
  type PlainConnection,
} from './drivers/mcp-client/plain-client.ts'
export {
  type HttpAnswer,
  type HttpCall,
  type HttpHandler,
  type HttpListening,
  type HttpReply,
  type HttpRequest,
  type HttpSend,
  isSuccess,
} from './model/http.ts'
export type { PlainAddress } from './model/through.ts'
export { spawnPipe, startChild } from './transport/child-process.ts'
export { createEventReader, isEventStream, readEventStream, writeEvent } from './transport/event-stream.ts'
export { createHttpSend } from './transport/http-client.ts'
export { listenHttp } from './transport/http-server.ts'
export { createMemoryHttp, fetchOver, type MemoryHttp } from './transport/memory-http.ts'
export { createMemoryPipe } from './transport/memory-pipe.ts'
export { reasonOf } from './transport/streams.ts'
