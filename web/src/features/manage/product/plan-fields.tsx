import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { momentText } from '@befaqt/domain/moment-text'
import type { Schedule } from '@befaqt/domain/schedule'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useSite } from '#web/root-data.ts'
import { planNames, planText, type TypedPlan, usualEnds } from './plan.ts'

/** The market's zone. */
export const useMarketZone = (): string => useSite()?.market.timeZone ?? 'Australia/Sydney'

/** When a product goes on and off sale, and a discount starts and ends. */
export function PlanFields({ start, errors }: { start: TypedPlan; errors: FieldErrors }) {
  const zone = useMarketZone()
  const field = (name: string, label: string, value: string | null | undefined) => (
    <InputField
      label={label}
      name={name}
      type="datetime-local"
      defaultValue={value ?? ''}
      error={errors[name]}
    />
  )
  const { sale, markdown } = start
  return (
    <fieldset className="grid gap-2">
      <legend className="font-semibold">Schedule</legend>
      <p className="muted">
        In market time ({zone}). Leave a field empty for now, or for no end. At its end a discount goes back
        to what it was; a draft is INACTIVE until its sale starts.
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {field(planNames.saleFrom, 'On sale from', sale?.from)}
        {field(planNames.saleUntil, 'On sale until', sale?.until)}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {field(planNames.from, 'Marked down from', markdown?.from)}
        {field(planNames.until, 'Marked down until', markdown?.until)}
        <InputField
          label="Mark down by"
          name={planNames.percent}
          inputMode="numeric"
          defaultValue={String(markdown?.percent ?? '')}
          hint="percent"
          error={errors[planNames.percent]}
        />
      </div>
    </fieldset>
  )
}

/** What is planned of a product, in its row: nothing where nothing is. */
export function Planned({ row, kind }: { row: ManagedProduct; kind: keyof Schedule }) {
  const zone = useMarketZone()
  const { sale, markdown } = row.schedule
  if (row.schedule[kind] === null) return null
  const isOn = markdown?.before !== null
  // One that somebody has set by hand meanwhile stays.
  if (kind === 'markdown' && isOn && row.discount !== markdown?.percent) return null
  const text =
    kind === 'sale'
      ? planText({ sale }, zone)
      : isOn
        ? `until ${momentText(markdown?.until ?? null, zone)}`
        : planText({ markdown }, zone)
  return <span className="block muted">{text}</span>
}

/** Markdowns of one press. */
const percents = [10, 20, 25, 50] as const

type MarkDownProps = {
  busy: boolean
  /** The change of all that is selected. */
  onPlan: (schedule: { markdown: { percent: number; from: null; until: string } | null }) => void
}

/** Marks down what is selected until a moment, by one press; what was marked down is as before then. */
export function MarkDownUntil({ busy, onPlan }: MarkDownProps) {
  const zone = useMarketZone()
  const [ends] = useState(() => usualEnds(Date.now(), zone))
  const [chosen, setChosen] = useState(ends[0]?.value ?? '')
  const [own, setOwn] = useState('')
  const until = chosen === '' ? own : chosen
  return (
    <fieldset className="flex flex-wrap items-end gap-x-3 gap-y-2 pb-3">
      <legend className="sr-only">Mark down until</legend>
      <div className="min-w-44">
        <SelectField
          label="Mark down until"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {ends.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="">another time …</option>
        </SelectField>
      </div>
      {chosen === '' && (
        <InputField
          label="Market time"
          type="datetime-local"
          value={own}
          onChange={(event) => setOwn(event.currentTarget.value)}
        />
      )}
      {percents.map((percent) => (
        <Button
          key={percent}
          variant="outline"
          className="px-3 tabular-nums"
          aria-label={`Mark down by ${percent} %`}
          aria-disabled={busy || until === ''}
          onClick={() => !busy && until !== '' && onPlan({ markdown: { percent, from: null, until } })}
        >
          −{percent} %
        </Button>
      ))}
      <Button
        variant="link"
        className="px-2"
        aria-disabled={busy}
        onClick={() => !busy && onPlan({ markdown: null })}
      >
        End markdowns
      </Button>
    </fieldset>
  )
}

type SaleProps = {
  busy: boolean
  /** Plans it for all that is selected; null: nothing any more. */
  onPlan: (sale: { from: string | null; until: string | null } | null) => void
}

/** Plans when what is selected goes on sale and off it. */
export function SaleTimes({ busy, onPlan }: SaleProps) {
  const zone = useMarketZone()
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const isEmpty = from === '' && until === ''
  const field = (label: string, value: string, set: (value: string) => void) => (
    <InputField
      label={label}
      type="datetime-local"
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
  return (
    <fieldset className="flex flex-wrap items-end gap-x-3 gap-y-2 pb-3">
      <legend className="sr-only">Sale times, in market time ({zone})</legend>
      {field('On sale from', from, setFrom)}
      {field('On sale until', until, setUntil)}
      <Button
        variant="outline"
        aria-disabled={busy || isEmpty}
        onClick={() => !busy && !isEmpty && onPlan({ from: from || null, until: until || null })}
      >
        Plan sale
      </Button>
      <Button variant="link" className="px-2" aria-disabled={busy} onClick={() => !busy && onPlan(null)}>
        End sale times
      </Button>
    </fieldset>
  )
}
