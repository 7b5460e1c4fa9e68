import type { ReactNode } from 'react'
import { Alert } from '#web/components/alert.tsx'

type Props = { message: string; onDismiss?: () => void; children?: ReactNode }

/** The red banner of spec §2: 'Error: {message}'; `children` is what can be done about it. */
export function ErrorBanner({ message, onDismiss, children }: Props) {
  return (
    <Alert tone="bad" className="mb-4" {...(onDismiss && { onDismiss })}>
      <p>Error: {message}</p>
      {children}
    </Alert>
  )
}
