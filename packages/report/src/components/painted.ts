/** The first frame of a page, which has only what a screen shows; the rest follows. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** False in the first frame of a page, and true from the second one on. */
export function useIsPainted(): boolean {
  const isPainted = useSignal(performance.getEntriesByName('joust-shown').length > 0)
  useEffect(() => {
    if (isPainted.value) return
    const frame = requestAnimationFrame(() => setTimeout(() => (isPainted.value = true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted.value
}
