/** Limits the first frame of a page to the visible part, so that the page appears quickly. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Returns false in the first frame of a page, or of a component that is initially not painted, and true afterwards. */
export function useIsPainted(isInitially = performance.getEntriesByName('joust-shown').length > 0): boolean {
  const isPainted = useSignal(isInitially)
  useEffect(() => {
    if (isPainted.value) return
    const frame = requestAnimationFrame(() => setTimeout(() => (isPainted.value = true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted.value
}
