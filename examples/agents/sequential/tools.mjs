const archive = new Map([['tea', 'Tea came to Europe in 1610.']])

export const searchArchive = {
  inputSchema: { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] },
  call: ({ topic }) => archive.get(topic) ?? `nothing about ${topic}`,
}
