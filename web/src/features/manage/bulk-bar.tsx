import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { type FormEvent, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { CheckField, Field, SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'
import { bulkChanged, bulkSet, priceWays } from './bulk-set.ts'
import { type BulkSet, manageCalls } from './calls.ts'
import { statuses } from './manage-address.ts'
import type { ProductDraft } from './product-form.tsx'
import type { ManagedList } from './use-managed-list.ts'

type Props = {
  list: ManagedList<ManagedProduct, ProductDraft>
  chosen: readonly ManagedProduct[]
  onAll: (all: boolean) => void
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')

/** The same change for all chosen products, shown at once and undone when the shop refuses; it can be taken back. */
function useBulk({ list, chosen }: Props) {
  const [before, setBefore] = useState<readonly ManagedProduct[]>([])
  const change = async (set: BulkSet) => {
    list.dismiss()
    try {
      const after = chosen.map((row) => ({ ...bulkChanged(row, set), version: row.version + 1 }))
      await list.change(chosen, after, async () => {
        await manageCalls.bulk(
          chosen.map(({ _id }) => _id),
          set,
        )
        return after
      })
      setBefore(chosen)
      list.say(`Changed ${chosen.length} ${chosen.length === 1 ? 'product' : 'products'}.`)
    } catch (error) {
      list.fail(error)
    }
  }
  const undo = async () => {
    setBefore([])
    const now = list.rows.filter(({ _id }) => before.some((row) => row._id === _id))
    const back = before.map((row) => ({ ...row, version: row.version + 2 }))
    try {
      await list.change(now, back, async () => {
        for (const { _id, status, stock, price } of before)
          await manageCalls.bulk([_id], { status, stock, priceValue: price })
        return back
      })
      list.say('Undone.')
    } catch (error) {
      list.fail(error)
    }
  }
  return { change, undo: before.length > 0 ? undo : null }
}

/** Chooses all, and changes status, price and stock of what is chosen. */
export function BulkBar(props: Props) {
  const { list, chosen, onAll } = props
  const ready = useHydrated()
  const { change, undo } = useBulk(props)
  return (
    <div className="mb-2 rounded-md border border-line bg-surface px-3 py-1">
      <div className="flex flex-wrap items-center gap-x-6">
        <CheckField
          label={chosen.length === 0 ? 'Choose all on this page' : `${chosen.length} chosen`}
          checked={chosen.length > 0 && chosen.length === list.rows.length}
          disabled={!ready}
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
        {undo && (
          <Button look="plain" onClick={() => void undo()}>
            Undo the change
          </Button>
        )}
      </div>
      {chosen.length > 0 && <BulkForm count={chosen.length} onChange={(set) => void change(set)} />}
    </div>
  )
}

function BulkForm({ count, onChange }: { count: number; onChange: (set: BulkSet) => void }) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { set, errors } = bulkSet({
      status: textOf(form, 'status'),
      stock: textOf(form, 'stock'),
      way: textOf(form, 'way'),
      amount: textOf(form, 'amount'),
    })
    setErrors(errors)
    if (Object.keys(errors).length > 0) return
    event.currentTarget.reset()
    onChange(set)
  }
  return (
    <form
      onSubmit={submit}
      aria-label="Change what is chosen"
      className="grid items-start gap-3 pt-1 pb-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1.4fr_1fr_auto]"
    >
      <SelectField label="Status" name="status" error={errors.status}>
        <option value="">Leave as it is</option>
        {statuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
      <Field
        label="Stock"
        name="stock"
        inputMode="numeric"
        placeholder="Leave as it is"
        error={errors.stock}
      />
      <SelectField label="Price" name="way">
        {priceWays.map(([way, words]) => (
          <option key={way} value={way}>
            {words}
          </option>
        ))}
      </SelectField>
      <Field label="Amount" name="amount" inputMode="decimal" error={errors.amount} />
      <Button type="submit" className="lg:mt-7.5">
        Change {count}
      </Button>
    </form>
  )
}
