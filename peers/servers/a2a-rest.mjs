/**
 * An echo agent over HTTP+JSON only, on the official SDKs with Express: `a2a-rest.mjs 1.0|0.3`. It has two executors
 * and two handlers, because the SDKs use different events.
 */
import { TaskState } from '@a2a-js/sdk'
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { DefaultRequestHandler as Handler03, InMemoryTaskStore as TaskStore03 } from 'a2a-v03/server'
import { restHandler as restHandler03, UserBuilder as UserBuilder03 } from 'a2a-v03/server/express'
import express from 'express'

const isOld = process.argv[2] === '0.3'

const echo = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const ids = { taskId, contextId, metadata: undefined }
    const status = (state) => ({ state, timestamp: undefined, message: undefined })
    const named = { artifactId: 'a', name: '', description: '', extensions: [], metadata: undefined }
    const task = { id: taskId, contextId, status: status(TaskState.TASK_STATE_SUBMITTED) }
    bus.publish(AgentEvent.task({ ...task, history: [userMessage], artifacts: [], metadata: undefined }))
    const artifact = { ...named, parts: userMessage.parts }
    bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true }))
    bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_COMPLETED) }))
    bus.finished()
  },
  async cancelTask() {},
}

const echo03 = {
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
  const about = { name: 'Echo', description: 'Echoes.', version: '1', capabilities: { streaming: true }, skills: [] }
  const place = { url: `${origin}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' }
  const card = isOld
    ? { ...about, ...modes, protocolVersion: '0.3.0', url: place.url, preferredTransport: 'HTTP+JSON' }
    : { ...about, ...modes, supportedInterfaces: [place] }
  app.get('/.well-known/agent-card.json', (_, response) => response.json(card))
  const handler = isOld
    ? restHandler03({
        requestHandler: new Handler03(card, new TaskStore03(), echo03),
        userBuilder: UserBuilder03.noAuthentication,
      })
    : restHandler({
        requestHandler: new DefaultRequestHandler(card, new InMemoryTaskStore(), echo),
        userBuilder: UserBuilder.noAuthentication,
      })
  app.use('/a2a', handler)
  console.log(origin)
})
