import type { Preset } from './preset.ts'

export const pydanticAi: Preset = {
  name: 'pydantic-ai',
  about: 'Pydantic AI command line, PyPI clai',
  tried: '2.62.0',
  version: ['clai', '--version'],
  command: ['clai', '--mcp-config', '{mcp_config}', '-m', 'openai-chat:{model}', '{prompt}'],
  // Otherwise text is wrapped to the terminal width.
  env: { COLUMNS: '2000' },
  keys: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  model_proxy: { env: ['OPENAI_BASE_URL'] },
  model: 'gpt-5',
  without: ['sampling', 'elicitation', 'roots'],
  listing: 'at_once',
  approvals: 'asks for none',
  notes: ['one turn only', 'its banner and the names of called tools are part of the answer'],
}
