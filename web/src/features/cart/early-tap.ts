import { useEffect, useEffectEvent, useRef } from 'react'
import { useHydrated } from '#web/components/hydration.tsx'

declare global {
  /** What entry-start.ts has noted: of each button that was pressed before it answered, by its `data-early`, when it last was. */
  var earlyTaps: Map<string, number> | undefined
}

/**
 * A button that can be pressed before the page's script runs, which takes seconds on a slow phone: entry-start.ts notes
 * the press, and it is done once the button answers. Several presses are one, and so is a press that was noted and then
 * reaches the button after all, since React hydrates what is pressed and hands the press on.
 * @param name of the press, unique on the page
 * @returns attributes of the button
 */
export function useEarlyTap(name: string, press: () => void) {
  const ref = useRef<HTMLButtonElement>(null)
  const done = useRef<number>(undefined)
  const hydrated = useHydrated()
  const take = (at: number): void => {
    globalThis.earlyTaps?.delete(name)
    if (done.current === at) return
    done.current = at
    press()
  }
  const takeNow = useEffectEvent(take)
  useEffect(() => {
    ref.current?.removeAttribute('data-tapped')
    const at = globalThis.earlyTaps?.get(name)
    if (at !== undefined) takeNow(at)
  }, [name])
  return {
    ref,
    'data-early': hydrated ? undefined : name,
    onClick: ({ timeStamp }: { timeStamp: number }) => take(timeStamp),
  }
}
