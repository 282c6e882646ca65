/** A server with every feature on the official SDK v1. Uses the standard streams if run directly. */
import { pathToFileURL } from 'node:url'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const say = (text) => ({ content: [{ type: 'text', text }] })

/** Creates a server for one session. */
export function createNotesServer() {
  const notes = new McpServer({ name: 'notes', version: '1.0.0' })
  notes.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => say(text))
  // This question is sent on the call's stream, because it belongs to the call. The next one is sent on the standing
  // stream.
  notes.registerTool('ask', {}, async ({ requestId: relatedRequestId }) => {
    const requestedSchema = { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] }
    const question = { message: 'Which code?', requestedSchema }
    return say(JSON.stringify(await notes.server.elicitInput(question, { relatedRequestId })))
  })
  notes.registerTool('think', {}, async () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Think.' } }]
    return say(JSON.stringify(await notes.server.createMessage({ messages, maxTokens: 9 })))
  })
  notes.registerTool('roots', {}, async () => say(JSON.stringify(await notes.server.listRoots())))
  notes.registerTool('grow', {}, () => {
    notes.registerTool('grown', { inputSchema: { text: z.string() } }, ({ text }) => say(`grown: ${text}`))
    return say('grew')
  })
  notes.registerResource('one', 'note://one', {}, ({ href }) => ({ contents: [{ uri: href, text: 'the first note' }] }))
  const template = new ResourceTemplate('note://by/{author}', { list: undefined })
  notes.registerResource('by', template, {}, ({ href }) => ({ contents: [{ uri: href, text: 'a note' }] }))
  notes.registerPrompt('greet', { argsSchema: { who: z.string() } }, ({ who }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}.` } }],
  }))
  return notes
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await createNotesServer().connect(new StdioServerTransport())
