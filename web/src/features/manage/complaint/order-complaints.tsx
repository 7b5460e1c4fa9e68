import type { ManagedComplaint } from '@befaqt/domain/api/complaint-api'
import { decideComplaint } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { allRefundWays, MAX_WORDS, refundWays } from '@befaqt/domain/complaint'
import { ShopError } from '@befaqt/domain/errors'
import { cents, formatDollars, nearestCents } from '@befaqt/domain/money'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ComplaintMark, Told } from '#web/features/order/complaint/told.tsx'
import { serverErrors } from '#web/forms/field-errors.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm } from '../form-parts.tsx'
import { managedBoxPath } from '../paths.ts'

type Props = {
  order: ManagedOrder
  complaints: readonly ManagedComplaint[]
  /** Absent for who may read orders and not change them. */
  onDone?: (message: string) => void
}

/** What the buyer of an order says is wrong with it, and what the shop does about it. */
export function OrderComplaints({ order, complaints, onDone }: Props) {
  if (complaints.length === 0) return null
  return (
    <section aria-labelledby="complaints" className="grid gap-4">
      <h2 id="complaints" className="scroll-mt-4 text-2xl">
        {complaints.length === 1 ? 'Complaint' : 'Complaints'}
      </h2>
      {complaints.map((complaint) => (
        <OneComplaint key={complaint._id} order={order} complaint={complaint} {...(onDone && { onDone })} />
      ))}
    </section>
  )
}

type OneProps = Omit<Props, 'complaints'> & { complaint: ManagedComplaint }
type Asked = 'answer' | 'close' | 'record refund' | 'undo refund' | 'check boxes' | 'undo check'

const buttons: Readonly<Record<Asked, string>> = {
  'check boxes': 'Say what you found',
  'undo check': 'It has to be looked at again',
  answer: 'Answer',
  'record refund': 'It is given back',
  'undo refund': 'It was not given back',
  close: 'Close',
}

function OneComplaint({ order, complaint, onDone }: OneProps) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const hydrated = useHydrated()
  const { status, acts, createdAt } = complaint
  const done = (message: string) => {
    setAsked(null)
    onDone?.(message)
  }
  return (
    <article className="grid gap-4 rounded-lg border border-line bg-surface p-4 sm:p-5">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg">
        <Moment at={createdAt} />
        <ComplaintMark status={status} />
      </h3>
      <BoxCheck check={complaint.check} />
      <Told complaint={complaint} order={order} linkKey={null} buyer="The buyer" shop="The shop" />
      <div className="flex flex-wrap gap-3 empty:hidden">
        {Object.entries(onDone ? buttons : {}).map(([act, label]) => {
          const name = act as Asked
          if (!acts.includes(name)) return null
          return (
            <Button
              key={name}
              variant={name === 'answer' ? 'secondary' : 'outline'}
              disabled={!hydrated}
              onClick={() => setAsked(name)}
            >
              {name === 'answer' && status === 'ANSWERED' ? 'Answer again' : label}
            </Button>
          )
        })}
      </div>
      <Dialog
        open={asked !== null}
        title={asked === null ? '' : buttons[asked]}
        onClose={() => setAsked(null)}
      >
        {asked !== null && (
          <Asking
            asked={asked}
            order={order}
            complaint={complaint}
            onDone={done}
            onClose={() => setAsked(null)}
          />
        )}
      </Dialog>
    </article>
  )
}

/** The boxes that others eat from, too, with the ways to take them off sale or recall them. */
function BoxCheck({ check }: Pick<ManagedComplaint, 'check'>) {
  if (check === null) return null
  const { boxes, checked } = check
  const links = boxes.map((boxID) => (
    <li key={boxID}>
      <Link to={managedBoxPath(boxID)} className="link tap wrap-anywhere">
        Box {boxID}: history, off sale, recall
      </Link>
    </li>
  ))
  return (
    <Alert tone={checked === null ? 'bad' : 'info'}>
      {checked === null ? (
        <>
          <p className="font-semibold">Others may eat from the same box: look at it now.</p>
          <p className="text-ink">
            {boxes.length === 0
              ? 'It was packed from no box that is known here: ask who packed it.'
              : 'It stays on sale until somebody decides.'}
          </p>
        </>
      ) : (
        <p className="wrap-anywhere">
          <b className="font-semibold">{checked.who}</b> looked at it, <Moment at={checked.at} />:{' '}
          {checked.found}
        </p>
      )}
      <ul className="empty:hidden">{links}</ul>
    </Alert>
  )
}

type AskingProps = Required<OneProps> & { asked: Asked; onClose: () => void }

function Asking({ asked, order, complaint, onDone, onClose }: AskingProps) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const decide = async (decision: Parameters<typeof decisionOf>[0], said: string) => {
    const body = decisionOf(decision)
    if ('errors' in body) return setErrors(body.errors)
    setErrors({})
    try {
      await callApi(decideComplaint, { params: { id: complaint._id }, body, version: complaint.version })
    } catch (error) {
      if (error instanceof ShopError) setErrors(serverErrors(error))
      throw error
    }
    onDone(said)
  }
  const ask = { action: buttons[asked], onClose }
  switch (asked) {
    case 'answer':
      return (
        <Confirm {...ask} onConfirm={(entered) => decide({ asked, entered }, 'Answered by email.')}>
          <TextAreaField
            label="Answer"
            name="words"
            rows={5}
            maxLength={MAX_WORDS}
            hint="The buyer gets it by email. What the buyer wrote is not in it."
            error={errors.words}
          />
          {complaint.refunded === null && (
            <InputField
              label="Money back, in dollars (optional)"
              name="refund"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={complaint.promised === null ? '' : (complaint.promised / 100).toFixed(2)}
              hint={`At most ${formatDollars(cents(complaint.most))}. It is a promise: give it back yourself, ${howToRefund(order)}, and say here when it is done. 0 takes a promise back.`}
              error={errors.refund}
            />
          )}
        </Confirm>
      )
    case 'record refund':
      return (
        <Confirm {...ask} onConfirm={(entered) => decide({ asked, entered }, 'Recorded.')}>
          <p>
            Only once {formatDollars(cents(complaint.promised ?? 0))} are given back: nothing is moved by
            this. The buyer sees it on the page of the order.
          </p>
          <SelectField label="How" name="way" error={errors.way}>
            {allRefundWays.map((way) => (
              <option key={way} value={way}>
                {refundWays[way]}
              </option>
            ))}
          </SelectField>
        </Confirm>
      )
    case 'undo refund':
      return (
        <Confirm {...ask} onConfirm={(entered) => decide({ asked, entered }, 'It is promised again.')}>
          <p>
            The page of the order says again that {formatDollars(cents(complaint.promised ?? 0))} are
            promised. The buyer is not told by email.
          </p>
        </Confirm>
      )
    case 'undo check':
      return (
        <Confirm {...ask} onConfirm={(entered) => decide({ asked, entered }, 'It has to be looked at.')}>
          <p>What was found is taken back, and the boxes are to be looked at again.</p>
        </Confirm>
      )
    case 'check boxes':
      return (
        <Confirm {...ask} onConfirm={(entered) => decide({ asked, entered }, 'Noted.')}>
          <p>To take a box off sale or recall it, go to the box. This only says that somebody looked.</p>
          <TextAreaField
            label="What did you find?"
            name="found"
            rows={3}
            maxLength={300}
            error={errors.found}
          />
        </Confirm>
      )
    case 'close':
      return (
        <Confirm {...ask} onConfirm={(entered) => decide({ asked, entered }, 'Closed.')}>
          <p>The buyer is not told. While there is time the buyer can open it again.</p>
        </Confirm>
      )
  }
}

/** Who gives money back where: nothing here does. */
const howToRefund = ({ payment, paymentReference }: ManagedOrder): string =>
  payment?.state === 'CAPTURED' && paymentReference !== null
    ? `to the card at the payment provider (${paymentReference})`
    : 'in cash or by bank transfer'

/** What was entered, as the shop takes it, or what is wrong with it. */
function decisionOf({ asked, entered }: { asked: Asked; entered: FormData }) {
  const text = (name: string): string => String(entered.get(name) ?? '').trim()
  switch (asked) {
    case 'answer': {
      const words = text('words')
      if (words === '') return { errors: { words: 'say it in a few words' } }
      if (text('refund') === '') return { act: asked, words }
      const dollars = parseNumber(text('refund').replace(/^\$/, ''))
      if (typeof dollars !== 'number' || nearestCents(dollars) / 100 !== dollars)
        return { errors: { refund: 'must be an amount, like 12.50' } }
      return { act: asked, words, refund: nearestCents(dollars) }
    }
    case 'record refund': {
      const way = allRefundWays.find((one) => one === text('way')) ?? 'cash'
      return { act: asked, way }
    }
    case 'check boxes':
      return text('found') === ''
        ? { errors: { found: 'say it in a few words' } }
        : { act: asked, found: text('found').replaceAll(/\s+/g, ' ') }
    case 'close':
    case 'undo refund':
    case 'undo check':
      return { act: asked }
  }
}
