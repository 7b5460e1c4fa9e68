import { beginEnrolment, completeEnrolment } from '@befaqt/domain/api/endpoints/devices'
import {
  type DeviceView,
  deviceLevels,
  type Enrolment,
  EnrolmentProof,
  NewDevice,
} from '@befaqt/domain/device'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { canScan, Scanner } from '#web/features/box/find/box-number-field.tsx'
import { type Form, useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'

const hints = {
  sensor: 'The sensor itself holds the key.',
  gateway: 'A phone or gateway holds the key, and signs what sensors sent it.',
} as const

/**
 * Registers a device in two steps: what it is called, with its public key; then its signature over our message. What was
 * typed in the first lives until the device is registered: the message may expire, and another is asked for.
 */
export function DeviceAdd({ onAdded }: { onAdded: (device: DeviceView) => void }) {
  const [begun, setBegun] = useState<{ enrolment: Enrolment; name: string } | null>(null)
  const form = useForm(NewDevice, async (body) =>
    setBegun({ enrolment: await callApi(beginEnrolment, { body }), name: body.name }),
  )
  const { onChange, saved } = useKeptForm({ name: 'device', form })
  return (
    <>
      <KeyStep form={form} onChange={onChange} hidden={begun !== null} />
      {begun && (
        <SignatureStep
          {...begun}
          onBack={() => setBegun(null)}
          onAdded={(device) => {
            form.reset()
            saved()
            setBegun(null)
            onAdded(device)
          }}
        />
      )}
    </>
  )
}

type KeyProps = { form: Form; onChange: () => void; hidden: boolean }

function KeyStep({ form, onChange, hidden }: KeyProps) {
  const key = useRef<HTMLTextAreaElement>(null)
  const { errors } = form
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label="Register a device"
      className={hidden ? 'hidden' : 'grid gap-4'}
    >
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          label="Name"
          name="name"
          autoComplete="off"
          hint="Public with each reading that it signs: name the device, not a person"
          error={errors.name}
        />
        <SelectField label="Readings are" name="level" error={errors.level}>
          {(['sensor', 'gateway'] as const).map((level) => (
            <option key={level} value={level}>
              {deviceLevels[level]}: {hints[level]}
            </option>
          ))}
        </SelectField>
      </div>
      <TextAreaField
        ref={key}
        label="Public key"
        name="publicKey"
        rows={2}
        spellCheck={false}
        autoComplete="off"
        className="font-mono text-sm"
        hint="Ed25519, as the device shows it: 64 characters from 0 to f"
        error={errors.publicKey}
      />
      <ScanHex what="public key" length={64} into={key} />
      <FormActions ready={form.ready} busy={form.busy} save="Continue" />
      <p className="max-w-prose muted">
        From a command line, with a key that is made or read there:{' '}
        <code>npm run -s device:enrol -- --name NAME</code>
      </p>
    </form>
  )
}

type SignatureProps = {
  enrolment: Enrolment
  name: string
  onAdded: (device: DeviceView) => void
  onBack: () => void
}

function SignatureStep({ enrolment: { id, message, expiresAt, qr }, name, onAdded, onBack }: SignatureProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const signature = useRef<HTMLTextAreaElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const form = useForm(EnrolmentProof, async (body) =>
    onAdded(await callApi(completeEnrolment, { params: { id }, body })),
  )
  return (
    <form {...form.formProps} aria-label={`Signature of ${name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <h3 ref={heading} tabIndex={-1} className="text-lg">
        Let {name} sign this message
      </h3>
      <p className="max-w-prose">
        So it shows that it holds the key, whose id is <code className="wrap-anywhere">{id}</code>. It has
        until <Moment at={expiresAt} />.
      </p>
      <div className="flex flex-wrap items-start gap-6">
        <QrCode code={qr} label="The message as a QR code" className="w-48" />
        <div className="grid min-w-60 flex-1 gap-3">
          <TextAreaField
            label="Message"
            readOnly
            rows={4}
            value={message}
            className="font-mono text-sm"
            hint="Bytes in hex: sign the bytes, not this text"
          />
          <div>
            <CopyButton text={message} />
          </div>
        </div>
      </div>
      <TextAreaField
        ref={signature}
        label="Signature"
        name="signature"
        rows={3}
        spellCheck={false}
        autoComplete="off"
        className="font-mono text-sm"
        hint="Of the device, 128 characters from 0 to f"
        error={form.errors.signature}
      />
      <ScanHex what="signature" length={128} into={signature} />
      <FormActions ready={form.ready} busy={form.busy} save="Register device" onCancel={onBack} />
    </form>
  )
}

type ScanProps = {
  /** What the code shows, in words. */
  what: string
  /** Characters of it. */
  length: number
  into: RefObject<HTMLTextAreaElement | null>
}

/** Reads bytes in hex from a code that a device shows, where the browser can; they are put into a field. */
function ScanHex({ what, length, into }: ScanProps) {
  const [can, setCan] = useState(false)
  const [open, setOpen] = useState(false)
  useEffect(() => setCan(canScan()), [])
  if (!can) return null
  if (!open)
    return (
      <div>
        <Button variant="outline" onClick={() => setOpen(true)}>
          Scan the {what}
        </Button>
      </div>
    )
  const hex = new RegExp(`^[0-9a-f]{${length}}$`)
  const onFound = (found: string) => {
    if (into.current) {
      into.current.value = found
      into.current.dispatchEvent(new Event('input', { bubbles: true }))
    }
    setOpen(false)
  }
  return (
    <div className="max-w-sm">
      <Scanner
        onFound={onFound}
        onStop={() => setOpen(false)}
        read={(text) => (hex.test(text.trim().toLowerCase()) ? text.trim().toLowerCase() : null)}
        otherwise={`That code is not a ${what}: ${length} characters from 0 to f are expected.`}
      />
    </div>
  )
}
