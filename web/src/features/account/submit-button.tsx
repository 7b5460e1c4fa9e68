import type { ReactNode } from 'react'
import { Button, type ButtonLook } from '#web/components/button.tsx'

type Props = { ready: boolean; busy: boolean; children: ReactNode; look?: ButtonLook; className?: string }

/** Sends its form. Disabled until the page's script runs, so that nothing typed goes anywhere else. */
export const SubmitButton = ({ ready, busy, children, look = 'main', className = 'w-full' }: Props) => (
  <Button type="submit" look={look} className={className} disabled={!ready} aria-busy={busy}>
    {busy ? 'One moment…' : children}
  </Button>
)
