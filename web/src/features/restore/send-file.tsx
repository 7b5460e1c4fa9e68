import { ShopError } from '@befaqt/domain/errors'
import type { Upload } from '@befaqt/domain/restore'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocus } from './use-focus.ts'
import type { RestoreAt } from './use-restore.ts'

const [MB, GB] = [1e6, 1e9]
const shown = (size: number): string => size.toLocaleString('en', { maximumFractionDigits: 1 })
const sizeText = (bytes: number): string =>
  bytes < GB ? `${shown(bytes / MB)}\u00a0MB` : `${shown(bytes / GB)}\u00a0GB`

type SendingProps = { at: RestoreAt; upload: Upload | null; maxBytes: number; freeBytes: number | null }

/** Choosing the file, and how much of it is there. */
export function Sending({ at, upload, maxBytes, freeBytes }: SendingProps) {
  const { sending, isWaiting, isPausing, busy, failure } = at
  const hydrated = useHydrated()
  const [chosen, setChosen] = useState<File | null>(null)
  const isTaken = failure instanceof ShopError && failure.details.reason === 'other_tab'
  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    setChosen(file)
    void at.send(file, false)
  }
  return (
    <>
      {sending === null && (
        <>
          <p className="text-slate">
            The whole shop as it was: accounts, boxes, orders and pictures. It takes the place of this empty
            one. First the file is sent; before anything changes, all of it is read and checked.
          </p>
          {upload !== null && (
            <p>
              <b className="font-semibold wrap-anywhere">{upload.name || 'A backup'}</b>:{' '}
              {sizeText(upload.received)} of {sizeText(upload.bytes)} are here. Choose the same file to go on.
            </p>
          )}
          <label className="block">
            <span className="mb-2 block font-semibold">File of a backup</span>
            <input
              type="file"
              disabled={!hydrated || busy}
              onChange={choose}
              className="min-h-11 w-full file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-md file:border file:border-edge file:bg-transparent file:px-4 file:font-semibold"
            />
          </label>
          <p className="muted">
            At most {sizeText(maxBytes)}
            {freeBytes !== null && `; the shop’s disk has ${sizeText(freeBytes)} free`}. A restored shop takes
            several times the size of its file.
          </p>
          {isTaken && chosen !== null && (
            <Button variant="outline" disabled={busy} onClick={() => void at.send(chosen, true)}>
              Send it from here instead
            </Button>
          )}
          {!isTaken && chosen !== null && (failure !== null || upload !== null) && (
            <Button variant="outline" disabled={busy} onClick={() => void at.send(chosen, false)}>
              {failure === null ? 'Go on' : 'Try again'}
            </Button>
          )}
        </>
      )}
      {sending !== null && upload !== null && (
        <section aria-label="Being sent" className="grid gap-3">
          <h2 className="text-xl wrap-anywhere">{sending.name}</h2>
          <progress
            aria-label="Sent"
            className="filled h-3 w-full"
            value={upload.received}
            max={Math.max(1, upload.bytes)}
          />
          <p role="status" className="text-slate tabular-nums">
            {sizeText(upload.received)} of {sizeText(upload.bytes)}
            {isWaiting && '. There is no answer right now: it goes on by itself'}.
          </p>
          <p className="muted">
            What is sent is kept: after a break, also of this page, it goes on where it was.
          </p>
          <Button variant="outline" className="justify-self-start" aria-busy={isPausing} onClick={at.pause}>
            {isPausing ? 'After this part…' : 'Pause'}
          </Button>
        </section>
      )}
    </>
  )
}

/** All of the file is there: its passphrase, and the start. */
export function Ready({ at, upload }: { at: RestoreAt; upload: Upload }) {
  const { busy } = at
  const hydrated = useHydrated()
  const passphrase = useFocus<HTMLInputElement>(at)
  const button = useFocus<HTMLButtonElement>(at)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('passphrase')
    void at.restore(upload.id, typeof typed === 'string' ? typed : '')
  }
  return (
    <form aria-label="Restore" onSubmit={submit} className="grid gap-4">
      <p>
        <b className="font-semibold wrap-anywhere">{upload.name || 'The backup'}</b> is here,{' '}
        {sizeText(upload.bytes)}, {upload.encrypted ? 'encrypted' : 'not encrypted'}.
      </p>
      {upload.encrypted && (
        <InputField
          ref={passphrase}
          label="Passphrase"
          name="passphrase"
          type="password"
          autoComplete="off"
          required
          hint="With which the backup was made. It is used for this and kept nowhere."
        />
      )}
      <div className="flex flex-wrap gap-3">
        <Button ref={button} type="submit" variant="primary" disabled={!hydrated} aria-busy={busy}>
          Restore the shop
        </Button>
        <Button variant="outline" disabled={!hydrated || busy} onClick={() => void at.discard()}>
          Take another file
        </Button>
      </div>
    </form>
  )
}
