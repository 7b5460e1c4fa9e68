import type { SentForm } from '@befaqt/domain/api/sent-form'
import { useState } from 'react'
import { useActionData } from 'react-router'
import type { z } from 'zod'
import { refusal } from '#web/api/call-api.ts'
import { useForm } from '#web/forms/use-form.ts'

const NOTHING: SentForm = { typed: {}, answer: null, refusal: null }

/** What this page sent before its script ran, and what became of it (server/src/pages/forms.ts). */
export const useSentForm = (): SentForm => useState(useActionData<SentForm>() ?? NOTHING)[0]

/** `useForm` for a form that works before the page's script does. @param sent of it by then (`useSentForm`) */
export function usePlainForm<Output>(
  source: () => Promise<z.ZodType<Output, unknown>>,
  send: (input: Output) => Promise<void>,
  sent: SentForm,
  more: Record<string, unknown> = {},
) {
  const [failed] = useState(() => sent.refusal && refusal(sent.refusal, sent.refusal.status))
  return { ...useForm(source, send, more, undefined, failed), ready: true }
}
