/** Model API settings of agents and frameworks, and the path that each client appends to the URL. */

interface ModelClient {
  readonly name: string
  /** Variable or configuration field that contains the URL. */
  readonly setting: string
  /** Path that the client appends to the URL. */
  readonly appends: string
  /** Version tested behind the proxy. If absent, the row is based on the client's documentation. */
  readonly tried?: string
  readonly remark?: string
}

const CHAT = '/chat/completions'
const RESPONSES = '/responses'
const MESSAGES = '/v1/messages'
const GENERATE = '/v1beta/models/MODEL:generateContent'

// biome-ignore format: a row is a line
export const modelClients: readonly ModelClient[] = [
  { name: 'codex', setting: '`openai_base_url`, or `base_url` of a provider in config.toml', appends: RESPONSES, tried: '0.166.0', remark: 'ignores OPENAI_BASE_URL; its preset writes the URL into the file' },
  { name: 'opencode', setting: '`options.baseURL` of a provider in opencode.json', appends: CHAT, tried: '1.18.33', remark: 'its preset writes OPENAI_BASE_URL into the file' },
  { name: 'gemini', setting: 'GOOGLE_GEMINI_BASE_URL', appends: GENERATE, tried: '0.61.0' },
  { name: 'qwen', setting: 'OPENAI_BASE_URL', appends: CHAT, tried: '0.24.4' },
  { name: 'cline', setting: '`baseUrl` in providers.json', appends: CHAT, tried: '3.0.65', remark: 'its preset writes OPENAI_BASE_URL into the file' },
  { name: 'pydantic-ai', setting: 'OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL', appends: `${CHAT}, ${RESPONSES}, ${MESSAGES} or ${GENERATE}`, tried: '2.62.0' },
  { name: 'claude', setting: 'ANTHROPIC_BASE_URL', appends: MESSAGES },
  { name: 'OpenAI SDK', setting: 'OPENAI_BASE_URL', appends: `${CHAT} or ${RESPONSES}` },
  { name: 'OpenAI Agents', setting: 'OPENAI_BASE_URL', appends: `${RESPONSES} or ${CHAT}`, tried: 'py 0.24.0, ts 0.20.0' },
  { name: 'Anthropic SDK', setting: 'ANTHROPIC_BASE_URL', appends: MESSAGES },
  { name: 'Google Gen AI SDK', setting: 'GOOGLE_GEMINI_BASE_URL', appends: GENERATE, tried: 'py 3.3' },
  { name: 'LangChain, LangGraph', setting: 'OPENAI_BASE_URL or ANTHROPIC_BASE_URL', appends: `${CHAT} or ${MESSAGES}`, tried: 'py' },
  { name: 'LlamaIndex, CrewAI', setting: 'OPENAI_API_BASE', appends: CHAT, tried: 'py' },
  { name: 'AI SDK', setting: 'OPENAI_BASE_URL or ANTHROPIC_BASE_URL', appends: `${RESPONSES}, ${CHAT} or /messages`, tried: '6', remark: '`/messages` without the version; Google only with the option `baseURL`' },
  { name: 'Genkit', setting: 'the option `baseUrl`', appends: GENERATE },
]
