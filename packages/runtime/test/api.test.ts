import { expect, it } from 'vitest'
import * as bindings from '../src/config/shape.ts'
import * as runtime from '../src/index.ts'

it('exports these names', () => {
  expect(Object.keys(runtime).toSorted()).toEqual([
    'EVENTS_VERSION',
    'RunFailure',
    'addressVariables',
    'createAnswerText',
    'createInMemory',
    'createMemoryFile',
    'createRuntime',
    'createSpanExporter',
    'folderRegistry',
    'httpRegistry',
    'inputFromText',
    'jsonLines',
    'keyVariables',
    'loadBindings',
    'lockFile',
    'mcpTransport',
    'modelBeginnings',
    'openEventFile',
    'outputText',
    'probeModel',
    'resolveModel',
    'serveA2a',
    'serveAgUi',
    'serveAll',
    'serveMcp',
    'serveMcpStdio',
    'tool',
  ])
})

it('the names of @joust/runtime/bindings', () => {
  expect(Object.keys(bindings).sort()).toEqual([
    'PROJECT_FILE',
    'addressShape',
    'bindingsShape',
    'commandShape',
    'folderShape',
    'memoryShape',
    'namesIn',
    'registryShape',
    'scriptShape',
    'servedShape',
    'settingsShape',
    'toolShape',
  ])
})
