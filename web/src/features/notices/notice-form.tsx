import { readProfile } from '@befaqt/domain/api/endpoints/account'
import { askForNotice } from '@befaqt/domain/api/endpoints/stock-notices'
import { StockNoticeInput } from '@befaqt/domain/stock-notice'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { InputField } from '#web/components/field.tsx'
import { FailureAlert, SubmitButton } from '#web/features/account/account-form.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useViewer } from '#web/root-data.ts'

/** What is waited for: a product, or what the trade calls so. */
export type About = { product_id: string } | { species: string }

/** Asks for an address. That of an account is filled in, unless something was typed before it is known. */
export default function NoticeForm({ about }: { about: About }) {
  const [said, setSaid] = useState('')
  const isSignedIn = useViewer() !== null
  const form = useForm(
    StockNoticeInput,
    async (input) => setSaid((await callApi(askForNotice, { body: input })).message),
    about,
  )
  const { ref } = form.formProps
  useEffect(() => {
    const field = ref.current?.elements.namedItem('email')
    if (!(field instanceof HTMLInputElement)) return
    field.focus() // the button that opened this is gone
    if (!isSignedIn) return
    callApi(readProfile).then(
      ({ email }) => {
        if (field.value === '') field.value = email
      },
      () => undefined, // it can be typed
    )
  }, [ref, isSignedIn])
  if (said !== '') return <Alert tone="good">{said}</Alert>
  return (
    <form {...form.formProps} className="grid max-w-md gap-4 rounded-lg bg-ice p-5">
      <FailureAlert failure={form.failure} onDismiss={form.dismiss} />
      <InputField
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        required
        error={form.errors.email}
      />
      <p className="muted">
        One email when it can be bought, and none after that. We keep your address until then, at most 180
        days; every email has a link that stops them.{' '}
        <a href="/about/privacy" className="link">
          Privacy
        </a>
      </p>
      <SubmitButton ready={form.ready} busy={form.busy} variant="secondary" className="justify-self-start">
        Tell me
      </SubmitButton>
    </form>
  )
}
