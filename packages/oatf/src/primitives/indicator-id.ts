import type { Indicator } from '../model/document.ts'

/** Returns the id of an indicator, or the id that normalization would generate (N-003). Accepts invalid entries. */
export function indicatorId(attackId: string | undefined, indicator: Indicator | null, index: number): string {
  if (typeof indicator?.id === 'string') return indicator.id
  return `${attackId ?? 'indicator'}-${String(index + 1).padStart(2, '0')}`
}
