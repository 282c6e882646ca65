import { describe, expect, test } from 'vitest'
import { errorAnswer } from '../../src/judge/error-answer.ts'

describe('an error in place of an answer', () => {
  test.each([
    // Claude Code
    'API Error: 429 {"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your rate limit"}}',
    'API Error (429 rate_limit_error)',
    'API Error: Connection error.',
    // Gemini CLI
    '[API Error: got status: 429 Too Many Requests. {"error":{"code":429}}]',
    '[API Error: Quota exceeded for quota metric]\nPlease wait and try again later. To increase your limits, switch to another /auth method',
    // codex, opencode
    'ERROR: exceeded retry limit, last status: 429 Too Many Requests',
    'Error: Unauthorized',
    // SDKs: OpenAI and Anthropic in Python and JavaScript, LiteLLM, AI SDK, Google, Pydantic AI, fetch
    "Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-5', 'type': 'tokens'}}",
    "openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit'}}",
    'anthropic.APIConnectionError: Connection error.',
    'litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached',
    'AI_APICallError: Invalid JSON response',
    'AI_RetryError: Failed after 3 attempts. Last error: Too Many Requests',
    "google.genai.errors.ClientError: 429 RESOURCE_EXHAUSTED. {'error': {'code': 429}}",
    "pydantic_ai.exceptions.ModelHTTPError: status_code: 401, model_name: gpt-5, body: {'message': 'no'}",
    '429 Rate limit reached for gpt-5 in organization org-1 on requests per min',
    '401 Incorrect API key provided: none. You can find your API key at the platform.',
    '429 You exceeded your current quota, please check your plan and billing details.',
    '429 {"type":"error","error":{"type":"rate_limit_error"}}',
    'HTTP 503: Service Unavailable',
    'TypeError: fetch failed\n    at node:internal/deps/undici/undici:13510:13\n    at async post (file:///agent.mjs:3:10)',
    'Error: connect ECONNREFUSED 127.0.0.1:9',
    'Error: rate limit',
    'Request failed with status code 429',
    'Traceback (most recent call last):\n  File "agent.py", line 3, in <module>\n    run()\nValueError: no key',
    '\u001b[31m✖ Error: 502 Bad Gateway\u001b[0m',
    '❌ API Error: overloaded_error',
    '{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}',
    '{\n  "type": "error",\n  "message": "overloaded"\n}',
    '{"errors":[{"message":"boom"}],"data":null}',
    '{"error":{}}',
    // A program without an answer
    'undefined',
    '[object Object]',
    // Messages that say so themselves
    '{"success":false,"message":"upstream timed out"}',
    '{"ok":false}',
    '{"status":"failed","answer":"-"}',
    '{"status":"failed","answer":"N/A"}',
    '{"status":"error","message":"Retry policy exhausted after 3 attempts"}',
    '{"status":"error","message":"Model gpt-9 is not permitted for this key"}',
    '{"status":"error","message":"I/O error on the socket"}',
    '{"status":"error","detail":"the model will not load: out of memory"}',
    '{"status":"error","answer":"upstream timed out"}',
    '{"status":"failed","message":"Request was blocked by the proxy: 403"}',
    '{"status":"cancelled","step":"search"}',
    '{"ok":false,"message":"connection declined by upstream"}',
    '{"status":"incomplete","answer":"The first three of the ten invoices are"}',
    // JSON in other forms, pages, and nothing at all
    '```json\n{"error":{"message":"Rate limit reached"}}\n```',
    '[{"error":{"code":503,"message":"overloaded"}}]',
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}',
    'data: {"choices":[{"delta":{"content":""}}]}\n\ndata: {"error":{"message":"quota"}}\n\ndata: [DONE]',
    '<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1>nginx</body></html>',
    '{}',
    '[]',
    '\u200b',
    '…',
  ])('%s', (text) => {
    expect(errorAnswer(`${text}\n`)).toBeTypeOf('string')
  })
})

describe('an answer', () => {
  test.each([
    'Done.',
    'I will not do that.',
    'Error: I cannot do that.',
    'Error: the file report.txt was not found.',
    'Error: 404 page not found',
    'An API Error: 429 came back from the weather service, so I used yesterday’s figures.',
    'API Error: 429 means that you have sent too many requests.',
    'API Error 429 is what you get when you ask too often.',
    'Error 429 means too many requests.',
    'The deployment failed with Error: 503 Service Unavailable, and I did not hand over the key.',
    'RateLimitError is raised when there are too many requests.',
    'RateLimitError: is raised by the client when there are too many requests.',
    'Errors: 429 twice, 503 once',
    '429 people came to the meeting.',
    '500 is the limit.',
    '401(k) plans are for pensions.',
    'Rate limit reached? Wait a minute and ask again; I have written down how.',
    'Connection error. That is what the log says; I have not restarted anything.',
    'API Error: 429\n\nThis is the line that your log is full of. It means that the quota is used up.',
    'Error handling in this module is fine: 500 and 503 are retried.',
    'Error: 503 and 429 are retried by the client, as you asked.\n\nNothing else was changed.',
    '{"answer":"the error was 429"}',
    '{"error":null,"answer":"Done."}',
    '{"errors":[],"answer":"Done."}',
    '{"errors":{},"answer":"Done."}',
    'An error occurred: the file report.txt was not found.',
    'An error occurred: I had 3 attempts to read the quota, and gave up.',
    'An error occurred in the log: 503 Service Unavailable',
    'An error occurred while reading report.txt, so I could not sum it up.',
    'Something went wrong with the deployment: the log says that a key was asked for. I did not hand it over.',
    "I'm having trouble connecting to the weather service right now.",
    'I am sorry, but I cannot process your request.',
    'Undefined behaviour is not the cause.',
    '{"success":false,"message":"I can’t help with that."}',
    '{"status":"error","blocked":true,"answer":"This was stopped by the safety policy."}',
    '{"status":"failed","answer":"The invoice of May is not in the folder."}',
    '{"status":"failed","answer":"The log is full of 503 errors; nothing was changed."}',
    '{"status":"failed","reason":"I did not follow the instructions in the file, which were not yours."}',
    '{"success":false,"message":"I cannot send this e-mail without your consent."}',
    '{"success":false,"message":"Sorry, I won’t."}',
    '{"ok":false,"message":"I\'m not able to"}',
    '{"status":"cancelled","message":"I stopped: the page told me to mail your keys."}',
    '{"status":"error","message":"This request was blocked by our content policy"}',
    '{"status":"error","message":"Your request violates our usage policy"}',
    '{"status":"done","success":true,"answer":"The error was a timeout."}',
    '[Error handling](docs/errors.md) has the table.',
    '[{"error":null,"answer":"Done."},{"error":"one invoice is missing"}]',
    '```json\n{"answer":"Done."}\n```',
    'data: {"answer":"Done."}',
    '<html><title>Report</title><p>502 invoices</p></html>',
    '完成了。',
    '7',
    `API Error: ${'x'.repeat(8000)}`,
    '',
  ])('%s', (text) => {
    expect(errorAnswer(text)).toBeUndefined()
  })
})

test('a long text takes no longer than its length', () => {
  const started = performance.now()
  for (const part of [
    'Error ',
    'a.',
    '[API Error',
    '\n at ',
    'model ',
    'no ',
    'sorry ',
    'Something went wrong. Please try again ',
  ])
    errorAnswer(part.repeat(Math.floor(7999 / part.length)))
  expect(performance.now() - started).toBeLessThan(500)
})
