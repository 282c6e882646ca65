/** Language features for attacks, agents and joust.yaml. Pure: the host supplies functions that read other files. */
export type { Span, Suggestion, TextEdit } from '@joust/source'
export type { AgentPicture, AttackPicture, Band, Flow, IndicatorMark, Lane } from './features/picture.ts'
export { createLanguage, type Language } from './language.ts'
export type {
  Completion,
  DocumentKind,
  FileSpan,
  Finding,
  Fix,
  Hover,
  LanguageOptions,
  Link,
  OutlineItem,
  OutlineKind,
  TextFile,
} from './model.ts'
