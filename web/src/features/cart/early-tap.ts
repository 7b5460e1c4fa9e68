import { useEffect, useEffectEvent, useRef } from 'react'
import { useHydrated } from '#web/components/hydration.tsx'

declare global {
  /** What entry-start.ts has noted: the `data-early` of each button that was pressed before it answered. */
  var earlyTaps: Set<string> | undefined
}

/**
 * A button that can be pressed before the page's script runs, which takes seconds on a slow phone: entry-start.ts notes
 * the press, and it is done once the button answers. Several presses are one.
 * @param name of the press, unique on the page
 * @returns attributes of the button
 */
export function useEarlyTap(name: string, press: () => void) {
  const ref = useRef<HTMLButtonElement>(null)
  const hydrated = useHydrated()
  const pressNow = useEffectEvent(press)
  useEffect(() => {
    ref.current?.removeAttribute('data-tapped')
    if (globalThis.earlyTaps?.delete(name)) pressNow()
  }, [name])
  return { ref, 'data-early': hydrated ? undefined : name }
}
