import type { Indicator } from '../model/document.ts'

/** The id of an indicator: its own, or the one that normalization gives it (N-003). */
export function indicatorId(attackId: string | undefined, indicator: Indicator, index: number): string {
  return indicator.id ?? `${attackId ?? 'indicator'}-${String(index + 1).padStart(2, '0')}`
}
