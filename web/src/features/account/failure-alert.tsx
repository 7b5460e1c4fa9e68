import { ShopError } from '@befaqt/domain/errors'
import type { ReactNode } from 'react'
import { answeredStatus } from '#web/api/fetch-json.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'

/**
 * 'Error: {status}: {server text}.' of spec §8; the text's own full stop is not said twice. Where the shop did not
 * answer there is no status.
 */
export function failureText(error: unknown): string {
  const status = error instanceof ShopError ? answeredStatus(error) : null
  if (!(error instanceof ShopError) || status === null) return `Error: ${userMessage(error)}`
  return `Error: ${status}: ${error.message.replace(/\.$/, '')}.`
}

type Props = { failure: unknown; onDismiss: () => void; children?: ReactNode }

/** A failed call in a red box that can be dismissed; `children` is what can be done about it. */
export function FailureAlert({ failure, onDismiss, children }: Props) {
  if (failure === null) return null
  return (
    <Alert tone="bad" onDismiss={onDismiss}>
      {failureText(failure)}
      {children}
    </Alert>
  )
}
