import type { ComplaintView } from '@befaqt/domain/api/complaint-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readComplaintPhoto } from '@befaqt/domain/api/endpoints/order-page'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { boxWrongs, type ComplaintState, refundWays, wishes, wrongs } from '@befaqt/domain/complaint'
import { cents, formatDollars } from '@befaqt/domain/money'
import { preparedTitle } from '@befaqt/domain/preparation'
import { Alert } from '#web/components/alert.tsx'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'

export const complaintLabels: Readonly<Record<ComplaintState, string>> = {
  OPEN: 'waits for an answer',
  ANSWERED: 'answered',
  CLOSED: 'closed',
  WITHDRAWN: 'taken back',
}
const tones: Readonly<Record<ComplaintState, BadgeTone>> = {
  OPEN: 'warn',
  ANSWERED: 'teal',
  CLOSED: 'good',
  WITHDRAWN: 'plain',
}

/** The state of a complaint as a word. */
export const ComplaintMark = ({ status }: { status: ComplaintState }) => (
  <Badge tone={tones[status]}>{complaintLabels[status]}</Badge>
)

type Props = {
  complaint: ComplaintView
  order: {
    _id: string
    lines: readonly Pick<OrderView['lines'][number], 'position' | 'title' | 'preparation'>[]
  }
  linkKey: string | null
  /** What the buyer is called where it is read. */
  buyer: string
  shop: string
}

/** What was said and shown of an order, and what was answered. */
export function Told({ complaint, order, linkKey, buyer, shop }: Props) {
  const { lines, wrong, wish, words, photos, promised, refunded } = complaint
  const titles = order.lines
    .filter(({ position }) => lines.includes(position))
    .map(({ title, preparation }) => preparedTitle(title, preparation?.kind))
  return (
    <div className="grid gap-4">
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-3">
        <Fact name="About">{titles.length === 0 ? 'The whole order' : titles.join(', ')}</Fact>
        <Fact name="What is wrong">{wrongText(wrong)}</Fact>
        <Fact name="Wished">{wishes[wish]}</Fact>
      </dl>
      <ol className="grid gap-3">
        {words.map(({ by, who, text, at }) => (
          <li
            key={`${by} ${at}`}
            className={`border-l-4 pl-4 ${by === 'shop' ? 'border-teal' : 'border-edge'}`}
          >
            <p className="muted">
              <b className="font-semibold">{by === 'shop' ? (who ?? shop) : buyer}</b>, <Moment at={at} />
            </p>
            <p className="whitespace-pre-line wrap-anywhere">{text}</p>
          </li>
        ))}
      </ol>
      {photos.length > 0 && (
        <ul className="flex flex-wrap gap-3">
          {photos.map(({ _id: photo, width, height }, i) => {
            const params = { id: order._id, photo }
            const url = urlOf(readComplaintPhoto, { params, query: linkKey === null ? {} : { key: linkKey } })
            return (
              <li key={photo}>
                <a href={url} target="_blank" rel="noreferrer" className="block rounded-md">
                  <img
                    src={url}
                    alt={`${i + 1} of ${photos.length} of this order, opens it larger`}
                    width={width}
                    height={height}
                    loading="lazy"
                    className="size-24 rounded-md bg-ice object-cover sm:size-32"
                  />
                </a>
              </li>
            )
          })}
        </ul>
      )}
      {promised !== null && (
        <p className="font-semibold">
          {refunded === null ? (
            `${formatDollars(cents(promised))} promised, not given back yet`
          ) : (
            <>
              {formatDollars(cents(promised))} given back {refundWays[refunded.way]},{' '}
              <Moment at={refunded.at} />
            </>
          )}
        </p>
      )}
    </div>
  )
}

/** What is wrong, as a text. */
export const wrongText = (wrong: ComplaintView['wrong']): string => wrong.map((one) => wrongs[one]).join('. ')

/** What whoever says that fish is not fresh, or made somebody ill, is told at once. */
export const EatNoMore = ({ wrong }: Pick<ComplaintView, 'wrong'>) =>
  wrong.some((one) => boxWrongs.includes(one)) && (
    <Alert tone="warn">
      <p className="font-semibold">Please don’t eat any more of it.</p>
      <p>
        Keep it in the fridge, in its packaging. If anybody feels ill, see a doctor; in an emergency call 000.
      </p>
    </Alert>
  )

const Fact = ({ name, children }: { name: string; children: string }) => (
  <div>
    <dt className="muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)
