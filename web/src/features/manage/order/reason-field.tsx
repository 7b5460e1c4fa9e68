import { MAX_REASON } from '@befaqt/domain/limits'
import { TextAreaField } from '#web/components/field.tsx'

type Props = { hint?: string; isMissing: boolean }

/** Why something of an order is given up: the buyer reads it. In a form it is read by `reasonOf`. */
export const ReasonField = ({ hint = 'The buyer reads it.', isMissing }: Props) => (
  <TextAreaField
    label="Reason"
    name="reason"
    rows={2}
    maxLength={MAX_REASON}
    hint={hint}
    error={isMissing ? 'reason is required' : undefined}
  />
)

/** The reason that was entered; empty: none. */
export const reasonOf = (entered: FormData): string => String(entered.get('reason') ?? '').trim()
