import { momentText } from '@befaqt/domain/moment-text'
import { Suspense, useRef, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import type { ActionProps } from './order-calls.ts'

const AmendForm = lazyPart(() => import('./amend-form.tsx'))

/** Until when a placed order can be changed, and the way to do it; why not, where it can't. */
export default function AmendOrder(props: ActionProps) {
  const { amendable, slot, contact, payment } = props.order
  const [open, setOpen] = useState(false)
  const [done, setDone] = useState(false)
  const { busy, failure, run, dismiss } = useRevalidatingCall()
  const button = useRef<HTMLButtonElement>(null)
  const hydrated = useHydrated()
  const until = momentText(slot.cutOffAt, slot.timeZone)
  const close = () => {
    setOpen(false)
    dismiss()
    requestAnimationFrame(() => button.current?.focus())
  }
  const shown = open && amendable === 'open'
  if (amendable === 'state' && failure === null) return null
  return (
    <div className="no-print mb-8 grid gap-4">
      {done && (
        <Alert tone="good" onDismiss={() => setDone(false)}>
          <p className="font-semibold">Your order was changed.</p>
          {contact && <p className="wrap-anywhere">An email with it goes to {contact.email}.</p>}
        </Alert>
      )}
      {failure !== null && !shown && <Alert tone="bad">Error: {userMessage(failure)}</Alert>}
      {shown ? (
        <Suspense fallback={<p role="status">One moment…</p>}>
          <AmendForm
            {...props}
            busy={busy}
            failure={failure}
            onSave={(call) =>
              void run(call).then((isDone) => {
                if (!isDone) return
                setDone(true)
                close()
              })
            }
            onClose={close}
          />
        </Suspense>
      ) : (
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          {amendable === 'open' && (
            <Button
              ref={button}
              variant="outline"
              disabled={!hydrated}
              onClick={() => {
                setDone(false)
                setOpen(true)
              }}
            >
              Change order
            </Button>
          )}
          <p className="text-slate">
            {amendable === 'open' && `You can change it until ${until}, or until we begin to pack it.`}
            {amendable === 'late' && `It could be changed until ${until}.`}
            {amendable === 'packing' &&
              `We have begun to pack it. It could be changed before that, until ${until} at the latest.`}
            {amendable === 'card' &&
              payment?.state === 'OPEN' &&
              `It can be changed once it is paid, until ${until}.`}
          </p>
        </div>
      )}
    </div>
  )
}
