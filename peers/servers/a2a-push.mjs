/** An echo agent over JSON-RPC with push notifications, on the official A2A 0.3 SDK. */
import { DefaultRequestHandler, InMemoryTaskStore } from 'a2a-v03/server'
import { jsonRpcHandler, UserBuilder } from 'a2a-v03/server/express'
import express from 'express'

const echo = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const ids = { taskId, contextId }
    bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] })
    bus.publish({ kind: 'artifact-update', ...ids, artifact: { artifactId: 'a', parts: userMessage.parts } })
    bus.publish({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true })
    bus.finished()
  },
  async cancelTask() {},
}

const app = express()
const server = app.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`
  const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] }
  const capabilities = { streaming: true, pushNotifications: true }
  const about = { name: 'Echo', description: 'Echoes.', version: '1', capabilities, skills: [] }
  const card = { ...about, ...modes, protocolVersion: '0.3.0', url: `${origin}/a2a`, preferredTransport: 'JSONRPC' }
  app.get('/.well-known/agent-card.json', (_, response) => response.json(card))
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), echo)
  app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  console.log(origin)
})
