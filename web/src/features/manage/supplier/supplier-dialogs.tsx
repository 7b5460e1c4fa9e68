import { urlOf } from '@befaqt/domain/api/endpoint'
import {
  allotLabels,
  makePhoneLink,
  printAllotted,
  takeLabelsBack,
} from '@befaqt/domain/api/endpoints/suppliers'
import type { AllottedLabels, SupplierView } from '@befaqt/domain/api/field-api'
import { labelNumberOf, MAX_PRINTED, NewLabels } from '@befaqt/domain/box-numbers'
import { NewPhoneLink, type PhoneLink } from '@befaqt/domain/supplier'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useState } from 'react'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { PrintNumbers } from '#web/features/box/print-numbers.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, FormActions, StatusMessage } from '../form-parts.tsx'
import { useAction } from '../manage-layout.tsx'

type Props = { of: SupplierView | null; onClose: () => void }

/** Allots labels to a supplier, prints those of which there is no box yet, and takes them back. */
export const LabelsDialog = ({ of, onClose }: Props) => (
  <Dialog open={of !== null} title={`Labels of ${of?.name ?? ''}`} onClose={onClose}>
    {of && <Labels key={of.userId} of={of} onClose={onClose} />}
  </Dialog>
)

const countOf = ({ first, last }: AllottedLabels): number =>
  (labelNumberOf(last)?.value ?? 0) - (labelNumberOf(first)?.value ?? 0) + 1

/** Labels as their form sends them. */
const LabelsForm = z.preprocess((values) => {
  const { first, count } = Object(values)
  return { first, count: parseNumber(count) }
}, NewLabels)

function Labels({ of, onClose }: Props & { of: SupplierView }) {
  const { userId, name, labels } = of
  const action = useAction()
  const [printing, setPrinting] = useState<string | null>(null)
  const form = useForm(LabelsForm, async (body) => {
    const { first, last } = await callApi(allotLabels, { params: { id: userId }, body })
    form.reset()
    action.done(`${first} to ${last} are allotted to ${name}.`)
  })
  const takeBack = ({ id, first, last }: (typeof labels)[number]) =>
    void action.run(async () => {
      await callApi(takeLabelsBack, { params: { id } })
      return `${first} to ${last} are not ${name}’s any more.`
    })
  return (
    <div className="grid gap-4">
      <p>
        {name} registers boxes under the numbers of these labels, and under numbers that the phone makes.
        Catches under any other number wait for you.
      </p>
      <StatusMessage message={action.message} />
      {action.failure !== null && <FailureBanner error={action.failure} onDismiss={action.dismiss} />}
      {labels.length > 0 && (
        <ul className="divide-y divide-line border-line border-y">
          {labels.map((range) => (
            <li key={range.id} className="py-1">
              <div className="flex flex-wrap items-center justify-between gap-x-5">
                <span className="grow font-mono wrap-anywhere">
                  {range.first === range.last ? range.first : `${range.first} to ${range.last}`}
                </span>
                <Button
                  variant="link"
                  aria-label={`Print ${range.first} to ${range.last}`}
                  aria-expanded={printing === range.id}
                  onClick={() => setPrinting(printing === range.id ? null : range.id)}
                >
                  Print
                </Button>
                <Button
                  variant="link"
                  disabled={action.busy}
                  aria-label={`Take back ${range.first} to ${range.last}`}
                  onClick={() => takeBack(range)}
                >
                  Take back
                </Button>
              </div>
              {printing === range.id && (
                <PrintNumbers
                  label={`Print labels of ${name}`}
                  first={range.first}
                  count={Math.min(MAX_PRINTED, countOf(range))}
                  urlOf={(query) => urlOf(printAllotted, { params: { id: userId }, query })}
                  failed={(error, dismiss) => <FailureBanner error={error} onDismiss={dismiss} />}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <form {...form.formProps} aria-label={`Allot labels to ${name}`} className="grid gap-4">
        {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <InputField
            label="First number"
            name="first"
            autoComplete="off"
            hint="As printed, such as B-0001"
            error={form.errors.first}
          />
          <InputField
            label="How many"
            name="count"
            inputMode="numeric"
            autoComplete="off"
            error={form.errors.count}
          />
        </div>
        <FormActions ready={form.ready} busy={form.busy} save="Allot" onCancel={onClose} cancel="Close" />
      </form>
    </div>
  )
}

type PhoneLinkProps = { of: SupplierView | null; onMade: () => void; onClose: () => void }

/** Makes a link by which one phone of a supplier signs what it sends. */
export const PhoneLinkDialog = ({ of, onMade, onClose }: PhoneLinkProps) => (
  <Dialog open={of !== null} title={`Let a phone of ${of?.name ?? ''} sign`} onClose={onClose}>
    {of && <PhoneLinkForm key={of.userId} of={of} onMade={onMade} onClose={onClose} />}
  </Dialog>
)

function PhoneLinkForm({ of, onMade, onClose }: PhoneLinkProps & { of: SupplierView }) {
  const [made, setMade] = useState<PhoneLink | null>(null)
  const form = useForm(NewPhoneLink, async (body) => {
    setMade(await callApi(makePhoneLink, { params: { id: of.userId }, body }))
    onMade()
  })
  if (made !== null) return <Made {...made} name={of.name} />
  return (
    <form {...form.formProps} aria-label={`Link for a phone of ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        The phone makes a key and registers it. Readings that it sends then count as signed by a phone: for
        boxes that {of.name} recorded or holds, until you revoke it on Manage Device. An earlier link that was
        not used no longer works.
      </p>
      <InputField
        label="Name of the phone"
        name="name"
        autoComplete="off"
        hint="Public with each reading that it signs: name the device, not a person"
        error={form.errors.name}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Make the link" onCancel={onClose} />
    </form>
  )
}

const Made = ({ link, expiresAt, qr, name }: PhoneLink & { name: string }) => (
  <div className="grid gap-4">
    <p role="status">
      Open it on the phone, logged in as {name}. It works once, until <Moment at={expiresAt} />, and is shown
      only now.
    </p>
    <QrCode code={qr} label="The link as a QR code" />
    <p>
      <code className="wrap-anywhere">{link}</code>
    </p>
    <div>
      <CopyButton text={link} />
    </div>
  </div>
)
