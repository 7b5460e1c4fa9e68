import {
  type BulkUpdate,
  changeProducts,
  duplicateProducts,
  undoChanges,
} from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { statuses } from '@befaqt/domain/statuses'
import { type FormEvent, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { CheckboxField, InputField, SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { ManagedList } from '../edited-list/use-managed-list.ts'
import { MarkDownUntil, SaleTimes } from './plan-fields.tsx'
import { bulkPreview, type ProductValues, priceOperations, readBulkUpdate } from './product-values.ts'

type Props = {
  list: ManagedList<ManagedProduct, ProductValues>
  categories: readonly CategoryChoice[]
  selected: readonly ManagedProduct[]
  onToggleAll: (all: boolean) => void
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')
const counted = (n: number): string => `${n} ${n === 1 ? 'product' : 'products'}`

/** What an undo has come to: how many products it put back, and how many it left as they are. */
function undoneText(undone: number, left: number): string {
  if (left === 0) return 'Undone.'
  const stays = `${counted(left)} changed since ${left === 1 ? 'stays as it is' : 'stay as they are'}.`
  return undone === 0 ? `Nothing was undone: ${stays}` : `Undone for ${counted(undone)}; ${stays}`
}

/** These rows with what the shop says that is different of them now. */
function answered<Answer extends { _id: string }>(
  rows: readonly ManagedProduct[],
  answers: readonly Answer[],
): ManagedProduct[] {
  const byId = new Map(rows.map((row) => [row._id, row]))
  return answers.flatMap((answer) => {
    const row = byId.get(answer._id)
    return row ? { ...row, ...answer } : []
  })
}

/** The same change for all selected products, shown at once and taken off when the shop refuses; it can be undone. */
function useBulk({ list, categories, selected }: Props) {
  const [changes, setChanges] = useState<readonly number[]>([])
  const undoing = useCall()
  const copying = useCall()
  /** Of a request for copies that was not answered yet. */
  const unanswered = useRef<{ key: string; ids: string } | null>(null)
  const placed = (row: ManagedProduct): ManagedProduct => {
    const place = categories.find(({ _id }) => _id === row.category_id)
    return { ...row, categoryTitle: place?.title ?? row.categoryTitle }
  }
  /** Answers whether the shop has made the change. */
  const change = async (set: BulkUpdate): Promise<boolean> => {
    list.begin()
    try {
      await list.changeMany(
        selected.map((row) => placed(bulkPreview(row, set))),
        async () => {
          const { rows } = await callApi(changeProducts, {
            body: { ids: selected.map(({ _id }) => _id), set },
          })
          setChanges(rows.map(({ change }) => change))
          list.setStatus(
            rows.length === 0 ? 'Nothing had to be changed.' : `Changed ${counted(rows.length)}.`,
          )
          return answered(selected, rows).map(placed)
        },
      )
      return true
    } catch (error) {
      list.fail(error)
      return false
    }
  }
  const undo = async () => {
    list.begin()
    try {
      await list.changeMany([], async () => {
        const { rows, removed, left } = await callApi(undoChanges, { body: { changes: [...changes] } })
        setChanges([])
        list.setStatus(undoneText(rows.length + removed.length, left.length))
        return answered(list.rows, rows).map(placed)
      })
    } catch (error) {
      list.fail(error)
    }
  }
  /** Sent again after an answer that was lost, the same copies are not made twice. */
  const duplicate = async () => {
    const ids = selected.map(({ _id }) => _id)
    const before = unanswered.current
    const key = before?.ids === ids.join() ? before.key : crypto.randomUUID()
    unanswered.current = { key, ids: ids.join() }
    list.begin()
    try {
      await list.changeMany([], async () => {
        const { rows } = await callApi(duplicateProducts, { body: { ids, key } })
        unanswered.current = null
        setChanges(rows.map(({ change }) => change))
        list.setStatus(
          `Made ${rows.length === 1 ? 'a copy, a draft' : `${rows.length} copies, drafts`} without stock.`,
        )
        return []
      })
    } catch (error) {
      list.fail(error)
    }
  }
  return {
    change,
    duplicate: () => copying.run(duplicate),
    copying: copying.busy,
    undo: changes.length > 0 ? () => undoing.run(undo) : null,
    undoing: undoing.busy,
  }
}

/** Selects all, and changes or copies what is selected. */
export function BulkBar(props: Props) {
  const { list, selected, onToggleAll } = props
  const ready = useHydrated()
  const { change, duplicate, copying, undo, undoing } = useBulk(props)
  return (
    <div className="mb-2 rounded-md border border-line bg-surface px-3 py-1">
      <div className="flex flex-wrap items-center gap-x-6">
        <CheckboxField
          label={selected.length === 0 ? 'Select all on this page' : `${selected.length} selected`}
          checked={selected.length > 0 && selected.length === list.rows.length}
          disabled={!ready}
          onChange={(event) => onToggleAll(event.currentTarget.checked)}
        />
        {selected.length > 0 && (
          <Button variant="link" aria-busy={copying} onClick={() => void duplicate()}>
            Duplicate {selected.length}
          </Button>
        )}
        {undo && (
          <Button variant="link" aria-busy={undoing} onClick={() => void undo()}>
            Undo the change
          </Button>
        )}
      </div>
      {selected.length > 0 && (
        <BulkForm count={selected.length} categories={props.categories} onChange={change} />
      )}
    </div>
  )
}

type FormProps = {
  count: number
  categories: readonly CategoryChoice[]
  /** Answers whether the shop has made the change; else what was typed stays. */
  onChange: (set: BulkUpdate) => Promise<boolean>
}

function BulkForm({ count, categories, onChange }: FormProps) {
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
          Change {count}
        </Button>
      </form>
    </>
  )
}
