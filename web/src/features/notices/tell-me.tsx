import { type ComponentType, type ReactNode, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { About } from './notice-form.tsx'

/**
 * Offers to tell once, by email, when something can be bought again. Its form is fetched when it is asked for: most
 * visitors find what they came for. @param children what the button says
 */
export default function TellMe({ about, children }: { about: About; children: ReactNode }) {
  const [{ Form, said }, set] = useState<{ Form?: ComponentType<{ about: About }>; said?: string }>({})
  const hydrated = useHydrated()
  if (Form) return <Form about={about} />
  const open = () =>
    void import('./notice-form.tsx').then(
      (module) => set({ Form: module.default }),
      () => set({ said: 'Try again.' }),
    )
  return (
    <p role="status" className="no-print noscript:hidden">
      <Button disabled={!hydrated} onClick={open}>
        {children}
      </Button>{' '}
      {said}
    </p>
  )
}
