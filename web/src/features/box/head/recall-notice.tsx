import type { BoxRecall } from '@befaqt/domain/api/box-api'
import { Icon } from '#web/components/icon.tsx'
import { Time } from '#web/time/time.tsx'

/** That a box is recalled, before anything else that its page says. */
export const RecallNotice = ({ recall: { reason, at, inHistory } }: { recall: BoxRecall }) => (
  <div
    role="alert"
    className="grid grid-cols-[auto_1fr] gap-4 border-bad border-b-2 bg-bad-ice p-5 text-bad md:px-8"
  >
    <Icon name="close" className="size-9 rounded-full border-2 border-bad p-1" />
    <div className="min-w-0">
      <p className="font-serif text-3xl leading-tight">Recalled: do not eat fish from this box</p>
      <p className="mt-2 text-ink wrap-anywhere">
        <b className="font-semibold">Why:</b> {reason}
      </p>
      <p className="mt-1 text-ink">
        Recalled <Time at={at} />.{' '}
        {inHistory
          ? 'It is in the history below.'
          : 'The history of this box was sealed before, so this is the shop’s word alone.'}
      </p>
    </div>
  </div>
)
