import { readBoxSale, setBoxSale } from '@befaqt/domain/api/endpoints/excursions'
import { sealBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import type { BoxSaleView } from '@befaqt/domain/api/recall-api'
import { MAX_REASON } from '@befaqt/domain/limits'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Moment } from '#web/time/time.tsx'
import { Confirm, FailureBanner } from '../../form-parts.tsx'

type Props = { boxID: string; isOff: boolean; onChanged: (message: string) => void }

/** Takes a box off sale without a word to buyers, and puts it back. */
export function SaleSection({ boxID, isOff, onChanged }: Props) {
  const [view, setView] = useState<BoxSaleView | null>(null)
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<string | undefined>(undefined)
  const { busy, failure, run } = useCall()
  const hydrated = useHydrated()
  useEffect(() => {
    if (isOff) void callApi(readBoxSale, { params: { boxID } }).then(setView, () => undefined)
  }, [boxID, isOff])
  const send = async (offSale: boolean, reason: string) => {
    const body = { offSale, ...(reason === '' ? {} : { reason }) }
    const isDone = await run(async () => setView(await callApi(setBoxSale, { params: { boxID }, body })))
    if (!isDone) return
    setAsking(false)
    onChanged(offSale ? 'The box is off sale.' : 'The box is on sale again.')
  }
  const standing = isOff ? view?.offSale : null
  return (
    <div className="grid gap-4">
      {failure !== null && !asking && <FailureBanner error={failure} />}
      {isOff ? (
        <Alert tone="warn">
          <p>
            <b className="font-semibold">This box is off sale</b>
            {standing && (
              <>
                {' '}
                since <Moment at={standing.at ?? ''} />
                {standing.by && ` by ${standing.by}`}
              </>
            )}
            . Nothing of it can be sold, packed or handed out; nobody was told.
            {standing && ` Why: ${standing.reason}`}
          </p>
        </Alert>
      ) : (
        <p className="max-w-2xl text-slate">
          Off sale, nothing of this box can be sold, packed or handed out, and its page shows no stars and no
          date. Buyers get no email, and its products keep their status. It can be put back at any time.
        </p>
      )}
      <p>
        <Button
          variant="outline"
          disabled={!hydrated || busy}
          onClick={() => (isOff ? void send(false, '') : setAsking(true))}
        >
          {isOff ? 'Put back on sale' : 'Take off sale'}
        </Button>
      </p>
      <Dialog open={asking} title={`Take ${boxID} off sale?`} onClose={() => setAsking(false)}>
        <form
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim()
            setError(reason === '' ? 'reason is required' : undefined)
            if (reason !== '') void send(true, reason)
          }}
        >
          {failure !== null && <FailureBanner error={failure} />}
          <InputField
            label="Reason"
            name="reason"
            maxLength={MAX_REASON}
            error={error}
            hint="For the shop alone: buyers do not see it."
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" disabled={busy}>
              {busy ? 'One moment…' : 'Take off sale'}
            </Button>
            <Button variant="outline" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </div>
        </form>
      </Dialog>
    </div>
  )
}

/** Ends the history of a box, after asking: nothing can be added to it, ever. */
export function SealSection({ boxID, onSealed }: { boxID: string; onSealed: () => void }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const seal = async (entered: FormData) => {
    const reason = String(entered.get('reason') ?? '').trim()
    await callApi(sealBox, { params: { boxID }, body: { reason } })
    close()
    onSealed()
  }
  return (
    <>
      <Button variant="outline" disabled={!useHydrated()} onClick={() => setAsking(true)}>
        Seal this box
      </Button>
      <Dialog open={asking} title={`Seal ${boxID}?`} onClose={close}>
        {asking && (
          <Confirm action="Seal it for good" onConfirm={seal} onClose={close}>
            <p>
              A seal ends the history: no reading, result or correction can be added after it, and it cannot
              be taken back.
            </p>
            <InputField
              label="Reason (optional)"
              name="reason"
              maxLength={MAX_REASON}
              hint="like: sold out, all fillets packed"
            />
          </Confirm>
        )}
      </Dialog>
    </>
  )
}
