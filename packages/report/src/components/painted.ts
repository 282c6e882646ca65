/** Renders the first frame of a page with the visible part only, for speed; the rest follows. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** False in the first frame of a page, or of a component that is initially not painted; then true. */
export function useIsPainted(isInitially = performance.getEntriesByName('joust-shown').length > 0): boolean {
  const isPainted = useSignal(isInitially)
  useEffect(() => {
    if (isPainted.value) return
    const frame = requestAnimationFrame(() => setTimeout(() => (isPainted.value = true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted.value
}
