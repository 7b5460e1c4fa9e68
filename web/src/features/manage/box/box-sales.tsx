import { amountIn } from '@befaqt/domain/amount'
import type { BoxBalance } from '@befaqt/domain/api/box-trade-api'
import { addBoxLoss } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import type { BoxOrder } from '@befaqt/domain/api/order-api'
import { MAX_REASON } from '@befaqt/domain/limits'
import { momentText } from '@befaqt/domain/moment-text'
import { callApi } from '#web/api/call-api.ts'
import { InputField, SelectField } from '#web/components/field.tsx'
import { Table, Td, Th } from '#web/components/table.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { RowLink } from '../list/list-table.tsx'
import { amountText, buyerName, OrderStateMark } from '../order/order-parts.tsx'
import { managedOrderPath } from '../paths.ts'
import { lossForm } from './box-forms.ts'

type Props = {
  boxID: string
  products: ManagedBox['products']
  balances: readonly BoxBalance[]
  orders: readonly BoxOrder[]
  isSealed: boolean
  onLost: () => void
}

/** What went into a box, what became of it, and who bought it. */
export function BoxSales({ boxID, products, balances, orders, isSealed, onLost }: Props) {
  const titles = new Map(products.map(({ _id, title }) => [_id, title]))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {balances.length === 0 ? (
        <p className="text-slate">Nothing is sold from this box yet: link a product above.</p>
      ) : (
        <Balances balances={balances} titles={titles} />
      )}
      {!isSealed && products.length > 0 && <LossForm boxID={boxID} products={products} onLost={onLost} />}
      <Buyers orders={orders} />
    </div>
  )
}

type BalancesProps = {
  balances: readonly BoxBalance[]
  titles: ReadonlyMap<string, string>
}

function Balances({ balances, titles }: BalancesProps) {
  const number = (amount: number) => amount.toLocaleString('en-AU')
  return (
    <div>
      <Table caption="Mass balance">
        <thead>
          <tr>
            <Th>Product</Th>
            {['Went in', 'Sold', 'Lost', 'Left'].map((heading) => (
              <Th key={heading} className="text-right">
                {heading}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {balances.map((balance) => (
            <tr key={`${balance.product_id} ${balance.counted}`}>
              <Th scope="row">
                {titles.get(balance.product_id) ?? 'a product that is no longer linked'}, {balance.counted}
              </Th>
              {[balance.in, balance.sold, balance.lost].map((amount, i) => (
                <Td key={['in', 'sold', 'lost'][i]} className="text-right">
                  {number(amount)}
                </Td>
              ))}
              <Td className={`text-right font-semibold ${balance.left < 0 ? 'text-bad' : ''}`}>
                {number(balance.left)}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

type LossProps = Pick<Props, 'boxID' | 'products' | 'onLost'>

/** Records what was lost of a product, with the reason: it is a record of the box, for ever. */
function LossForm({ boxID, products, onLost }: LossProps) {
  const form = useForm(lossForm(products), async (body) => {
    await callApi(addBoxLoss, { params: { boxID }, body })
    form.reset()
    saved()
    onLost()
  })
  const { onChange, saved } = useKeptForm({ name: 'loss', form })
  const { errors } = form
  return (
    <details className="rounded-lg border border-line bg-surface">
      <summary className="flex min-h-12 items-center px-4 font-semibold hover:text-teal">
        Record a loss
      </summary>
      <form
        {...form.formProps}
        onChange={onChange}
        aria-label="Record a loss"
        className="grid gap-4 px-4 pt-2 pb-5"
      >
        {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <SelectField label="Product" name="product_id" error={errors.product_id}>
            {products.map(({ _id, title }) => (
              <option key={_id} value={_id}>
                {title}
              </option>
            ))}
          </SelectField>
          <InputField
            label="Amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            hint="grams, like 350 or 0.35 kg; or a number of pieces"
            error={errors.amount}
          />
          <InputField
            label="Reason"
            name="reason"
            maxLength={MAX_REASON}
            hint="like: trimmed, damaged. It becomes public."
            error={errors.reason}
          />
        </div>
        <FormActions ready={form.ready} busy={form.busy} save="Record the loss" />
      </form>
    </details>
  )
}

/** Which orders were packed from a box, the newest first. */
function Buyers({ orders }: { orders: readonly BoxOrder[] }) {
  const zone = useMarketZone()
  return (
    <div>
      <h3 className="mb-2 text-xl">Orders from this box</h3>
      {orders.length === 0 ? (
        <p className="text-slate">None yet.</p>
      ) : (
        <ul aria-label="Orders from this box" className="divide-y divide-line border-line border-y">
          {orders.map(({ _id, number, status, contact, lines, createdAt }) => (
            <li key={_id} className="flex flex-wrap items-center gap-x-5 gap-y-1 py-2">
              <RowLink to={managedOrderPath(_id)} className="tabular-nums">
                {number}
              </RowLink>
              <OrderStateMark state={status} />
              <span className="min-w-40 flex-1 wrap-anywhere">
                {buyerName(contact)}
                {contact && <span className="block muted">{contact.phone}</span>}
              </span>
              <span className="text-sm tabular-nums">
                {lines.map(({ title, unit, amount }) => (
                  <span key={`${title} ${amount}`} className="block">
                    {title}: {amountText(amountIn(unit, amount), unit)}
                  </span>
                ))}
              </span>
              <span className="muted">{momentText(createdAt, zone)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
