import { urlOf } from '@befaqt/domain/api/endpoint'
import { printLabels } from '@befaqt/domain/api/endpoints/box-page'
import type { BulkUpdate } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { CategoryChoice } from '@befaqt/domain/api/manage-api'
import { mayAtDesk } from '@befaqt/domain/rights'
import { statuses } from '@befaqt/domain/statuses'
import { type FormEvent, useState } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { Button, buttonClass } from '#web/components/button.tsx'
import { CheckboxField, InputField, SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useViewer } from '#web/root-data.ts'
import { BulkQuestion } from './bulk-question.tsx'
import { MarkDownUntil, SaleTimes } from './plan-fields.tsx'
import { priceOperations, readBulkUpdate } from './product-values.ts'
import { type BulkProps, counted, useBulk } from './use-bulk.ts'

type Props = BulkProps & {
  onToggleAll: (all: boolean) => void
  /** Whether all that match are selected, or those of the page alone. */
  onEverything: (is: boolean) => void
  /** A value of a product as text. */
  valueText: (field: string, value: unknown) => string
}

/** Products that the shop changes, and copies, in one call. */
const MAX_PRODUCTS = 10_000
const MAX_COPIES = 500

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')
const shownCount = (n: number): string => n.toLocaleString('en-AU')

/** Selects all, and changes or copies what is selected. */
export function BulkBar(props: Props) {
  const { list, selected, everything, onToggleAll } = props
  const ready = useHydrated()
  const { change, question, duplicate, copying, undo, undoing } = useBulk(props)
  const count = everything?.count ?? selected.length
  return (
    <div className="mb-2 rounded-md border border-line bg-surface px-3 py-1">
      <div className="flex flex-wrap items-center gap-x-6">
        <CheckboxField
          label={selected.length === 0 ? 'Select all on this page' : `${shownCount(count)} selected`}
          checked={selected.length > 0 && selected.length === list.rows.length}
          disabled={!ready}
          onChange={(event) => onToggleAll(event.currentTarget.checked)}
        />
        <SelectEverything {...props} />
        {count > 0 && count <= MAX_COPIES && (
          <Button variant="link" aria-busy={copying} onClick={() => void duplicate()}>
            Duplicate {count}
          </Button>
        )}
        {!everything && <LabelSheet selected={selected} />}
        {undo && (
          <Button variant="link" aria-busy={undoing} onClick={() => void undo()}>
            Undo the change
          </Button>
        )}
      </div>
      {selected.length > 0 && (
        <BulkForm
          change={everything ? `Change ${counted(count)}` : `Change ${count}`}
          categories={props.categories}
          onChange={change}
        />
      )}
      <BulkQuestion question={question} valueText={props.valueText} />
    </div>
  )
}

/** Boxes whose labels are printed at once. */
const MAX_LABELS = 100

/** Labels of the boxes that the selected products come from, for whoever may print them. */
function LabelSheet({ selected }: Pick<Props, 'selected'>) {
  const mayPrint = mayAtDesk(useViewer(), 'box:write')
  const boxes = new Set(selected.flatMap(({ boxes }) => boxes.map(({ boxID }) => boxID)))
  if (!mayPrint || boxes.size === 0 || boxes.size > MAX_LABELS) return null
  return (
    <a
      href={urlOf(printLabels, { query: { box: [...boxes].join(','), format: 'pdf' } })}
      target="_blank"
      rel="noreferrer"
      className={buttonClass('link')}
    >
      {boxes.size === 1 ? 'Label of its box' : `Label sheet of ${boxes.size} boxes`}
    </a>
  )
}

/** Beyond a page that is selected: all that match, while the shop takes so many at once. */
function SelectEverything({ list, selected, everything, onEverything }: Props) {
  const { total, rows, atLeast } = list.page
  if (everything)
    return (
      <Button variant="link" onClick={() => onEverything(false)}>
        Select this page alone
      </Button>
    )
  if (selected.length === 0 || selected.length < list.rows.length || total <= rows.length) return null
  return total <= MAX_PRODUCTS && !atLeast ? (
    <Button variant="link" onClick={() => onEverything(true)}>
      Select all {shownCount(total)} that match
    </Button>
  ) : (
    <span className="muted">
      {atLeast && 'Over '}
      {shownCount(total)} match; at most {shownCount(MAX_PRODUCTS)} can be changed at once.
    </span>
  )
}

type FormProps = {
  /** What its button says. */
  change: string
  categories: readonly CategoryChoice[]
  /** Answers whether the shop has made the change; else what was typed stays. */
  onChange: (set: BulkUpdate) => Promise<boolean>
}

function BulkForm({ change, categories, onChange }: FormProps) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { busy, run } = useCall()
  const planning = useCall()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    const form = new FormData(currentTarget)
    const { set, errors } = readBulkUpdate({
      category: textOf(form, 'category'),
      status: textOf(form, 'status'),
      stock: textOf(form, 'stock'),
      discount: textOf(form, 'discount'),
      way: textOf(form, 'way'),
      amount: textOf(form, 'amount'),
    })
    setErrors(errors)
    if (Object.keys(errors).length > 0) return
    void run(async () => {
      if (await onChange(set)) currentTarget.reset()
    })
  }
  return (
    <>
      <MarkDownUntil
        busy={planning.busy}
        onPlan={(schedule) => void planning.run(() => onChange({ schedule }))}
      />
      <SaleTimes
        busy={planning.busy}
        onPlan={(sale) => planning.run(() => onChange({ schedule: { sale } }))}
      />
      <form
        onSubmit={submit}
        aria-label="Change selected products"
        className="grid items-start gap-3 pt-1 pb-3 sm:grid-cols-2 lg:grid-cols-4 2xl:grid-cols-[1.2fr_1fr_1fr_1fr_1.4fr_1fr_auto]"
      >
        <SelectField label="Category" name="category">
          <option value="">No change</option>
          {categories.map(({ _id, title }) => (
            <option key={_id} value={_id}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField label="Status" name="status" error={errors.status}>
          <option value="">No change</option>
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </SelectField>
        <InputField
          label="Stock"
          name="stock"
          inputMode="numeric"
          placeholder="No change"
          error={errors.stock}
        />
        <InputField
          label="Discount (%)"
          name="discount"
          inputMode="numeric"
          placeholder="No change"
          error={errors.discount}
        />
        <SelectField label="Price" name="way">
          {priceOperations.map(([operation, label]) => (
            <option key={operation} value={operation}>
              {label}
            </option>
          ))}
        </SelectField>
        <InputField label="Amount" name="amount" inputMode="decimal" error={errors.amount} />
        <Button type="submit" aria-busy={busy} className="lg:mt-7.5">
          {change}
        </Button>
      </form>
    </>
  )
}
