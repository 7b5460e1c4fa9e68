import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Button, type ButtonLook } from '#web/components/button.tsx'
import { useHydrated } from './use-hydrated.ts'

type Props = { to: string; children: ReactNode; look?: ButtonLook; className?: string }

/** A button that leads on, where the specification asks for a button (§2). */
export function GoButton({ to, children, ...rest }: Props) {
  const navigate = useNavigate()
  return (
    <Button disabled={!useHydrated()} onClick={() => void navigate(to)} {...rest}>
      {children}
    </Button>
  )
}
