import { claude } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import type { Preset } from './preset.ts'
import { pydanticAi } from './pydantic-ai.ts'
import { qwen } from './qwen.ts'

export const presets: readonly Preset[] = [codex, opencode, gemini, qwen, cline, pydanticAi, claude]

export function findPreset(name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name)
}
