import {
  addExcursionNote,
  closeExcursion,
  putBackOnSale,
  takeOffSale,
} from '@befaqt/domain/api/endpoints/excursions'
import type { ExcursionDetail } from '@befaqt/domain/api/excursion-api'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { useDraft } from '#web/forms/use-kept-form.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { useAction } from '../manage-layout.tsx'

type Asked = 'take off' | 'put back' | 'close'

/** Notes, closing, and taking the box off sale or putting it back. Closing asks what becomes of a box that is off sale. */
export function ExcursionActions({ of }: { of: ExcursionDetail }) {
  const { id, closedAt, closeReason, withdrawnAt, products, sale } = of
  const { draft: text, change, discard } = useDraft('note', () => '')
  const typed = useRef(text)
  useEffect(() => {
    typed.current = text
  })
  const [asked, setAsked] = useState<Asked | null>(null)
  const { failure, message, run, done, doneAndRead, dismiss, busy, ready } = useAction()
  const params = { id }
  const isDone = closedAt !== null || withdrawnAt !== null
  /** What was done here counts until the page is read again: what was on its way before is older. */
  const [lately, setLately] = useState<boolean | null>(null)
  const isOff = lately ?? sale.offSale !== null
  const listed = products.filter(({ status }) => status === 'ACTIVE').length
  const sent = (what: string) => {
    if (typed.current === text) discard() // what was typed meanwhile stays
    return what
  }
  const note = () =>
    run(async () => {
      await callApi(addExcursionNote, { params, body: { text } })
      return sent('Noted.')
    })
  const close = async (backOnSale: boolean) => {
    await callApi(closeExcursion, { params, body: { text, backOnSale } })
    return sent(backOnSale ? 'Closed, and back on sale.' : 'Closed.')
  }
  const ended = (what: string) => {
    setAsked(null)
    done(what)
  }
  const readSale = async (off: boolean, what: string) => {
    setLately(off)
    setAsked(null)
    await doneAndRead(what)
    setLately(null)
  }
  const leave = () => setAsked(null)
  return (
    <div className="grid max-w-2xl gap-3">
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} className="empty:hidden" />
      {closedAt && (
        <p>
          Closed <Moment at={closedAt} />: {closeReason}
        </p>
      )}
      <TextAreaField
        label={isDone ? 'Note' : 'Note, or reason for closing'}
        rows={3}
        maxLength={500}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button disabled={!ready || text.trim() === ''} aria-busy={busy} onClick={() => void note()}>
          Add note
        </Button>
        {!isDone && (
          <Button
            variant="outline"
            disabled={!ready || text.trim() === ''}
            aria-busy={busy}
            onClick={() => (isOff ? setAsked('close') : void run(() => close(false)))}
          >
            Close with this reason
          </Button>
        )}
        {isOff && (
          <Button variant="outline" disabled={!ready} onClick={() => setAsked('put back')}>
            Put back on sale
          </Button>
        )}
        {!isOff && !sale.recalled && withdrawnAt === null && (
          <Button variant="primary" disabled={!ready} onClick={() => setAsked('take off')}>
            Take off sale
          </Button>
        )}
      </div>
      <Dialog open={asked === 'take off'} title="Take the box off sale?" onClose={leave}>
        <Confirm
          action="Take off sale"
          onClose={leave}
          onConfirm={async () => {
            await callApi(takeOffSale, { params })
            await readSale(true, 'The box is off sale.')
          }}
        >
          <p>
            Nothing of this box is sold, packed or handed out until it is put back.{' '}
            {listed > 0 &&
              `${listed === 1 ? 'One listed product comes' : `${listed} listed products come`} from it.`}{' '}
            Nobody is sent an email.
          </p>
        </Confirm>
      </Dialog>
      <Dialog open={asked === 'put back'} title="Put the box back on sale?" onClose={leave}>
        <Confirm
          action="Put back on sale"
          onClose={leave}
          onConfirm={async () => {
            await callApi(putBackOnSale, { params })
            await readSale(false, 'The box is back on sale.')
          }}
        >
          <p>Its fish can be bought, packed and handed out again.</p>
        </Confirm>
      </Dialog>
      <Dialog open={asked === 'close'} title="Close the excursion?" onClose={leave}>
        <Confirm
          action="Close the excursion"
          onClose={leave}
          onConfirm={async (entered) => ended(await close(entered.get('sale') === 'back'))}
        >
          <p>The box is off sale.</p>
          <fieldset className="grid">
            <legend className="sr-only">What becomes of the box</legend>
            {(
              [
                ['off', 'Keep it off sale'],
                ['back', 'Put it back on sale'],
              ] as const
            ).map(([value, label]) => (
              <label key={value} className="flex min-h-11 items-center gap-3">
                <input
                  type="radio"
                  name="sale"
                  value={value}
                  defaultChecked={value === 'off'}
                  className="size-5"
                />
                {label}
              </label>
            ))}
          </fieldset>
        </Confirm>
      </Dialog>
    </div>
  )
}
