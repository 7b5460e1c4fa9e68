import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import { createCoupon } from '@befaqt/domain/api/endpoints/managed-coupons'
import type { CategoryChoice } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { CheckboxField, InputField, SelectField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useDraft, useKeptForm } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { ProductSearch } from '../list/product-search.tsx'
import { allGoods, chosenGoods, couponForm, type Goods } from './coupon-values.ts'

type Props = { categories: readonly CategoryChoice[]; onMade: (coupon: ManagedCoupon) => void }

/** A new coupon: what it is for, what it takes off, when and how often. */
export function CouponAdd({ categories, onMade }: Props) {
  const zone = useMarketZone()
  const goods = useDraft('coupon-goods', () => allGoods)
  const [kind, setKind] = useState<'percent' | 'amount'>('percent')
  const form = useForm(
    couponForm(zone),
    async (body) => {
      const made = await callApi(createCoupon, { body })
      form.reset()
      setKind('percent')
      saved()
      goods.discard()
      onMade(made)
    },
    chosenGoods(goods.draft),
  )
  const { onChange, saved } = useKeptForm({ name: 'coupon', form })
  const { errors } = form
  const isPercent = kind === 'percent'
  const unchosen = errors.products ?? errors.categories
  return (
    <div className="grid gap-5">
      <GoodsChoice goods={goods.draft} categories={categories} onChange={goods.change} error={unchosen} />
      <form {...form.formProps} onChange={onChange} aria-label="Create coupon" className="grid gap-5">
        {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
        <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <InputField
            label="Code"
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            hint="Letters, digits and hyphens, like FISH-10"
            error={errors.code}
          />
          <SelectField
            label="Takes off"
            value={kind}
            onChange={(event) => setKind(event.currentTarget.value === 'amount' ? 'amount' : 'percent')}
          >
            <option value="percent">Percent</option>
            <option value="amount">Dollars</option>
          </SelectField>
          <InputField
            key={kind}
            label={isPercent ? 'Percent' : 'Dollars'}
            name={kind}
            inputMode="decimal"
            hint={isPercent ? 'From 1 to 100' : 'At most what it is for costs'}
            error={errors[kind]}
          />
          <InputField
            label="Least order in dollars (optional)"
            name="minimum"
            inputMode="decimal"
            hint="Of what it is for, without delivery"
            error={errors.minimum}
          />
          <InputField
            label="From (optional)"
            name="from"
            type="datetime-local"
            hint={`market time, ${zone}`}
            error={errors.from}
          />
          <InputField
            label="Until (optional)"
            name="until"
            type="datetime-local"
            hint={`market time, ${zone}`}
            error={errors.until}
          />
          <InputField label="Uses in all (optional)" name="uses" inputMode="numeric" error={errors.uses} />
          <InputField
            label="Uses of one customer (optional)"
            name="usesEach"
            inputMode="numeric"
            hint="By account or email"
            error={errors.usesEach}
          />
        </div>
        <CheckboxField name="firstOrder" label="Only for a customer’s first order" />
        <FormActions ready={form.ready} busy={form.busy} save="Create coupon" />
      </form>
    </div>
  )
}

type ChoiceProps = {
  goods: Goods
  categories: readonly CategoryChoice[]
  onChange: (goods: Goods) => void
  error: string | undefined
}

/** What a coupon is for. It is beside the form, since products are found by a form of their own. */
function GoodsChoice({ goods, categories, onChange, error }: ChoiceProps) {
  const hydrated = useHydrated()
  const toggle = (id: string, chosen: boolean) => {
    const others = goods.categories.filter((one) => one !== id)
    onChange({ ...goods, categories: chosen ? [...others, id] : others })
  }
  return (
    <fieldset disabled={!hydrated} className="grid gap-3">
      <legend className="sr-only">What it is for</legend>
      <div className="max-w-sm">
        <SelectField
          label="For"
          value={goods.kind}
          onChange={({ currentTarget }) => onChange({ ...goods, kind: currentTarget.value as Goods['kind'] })}
          error={error}
        >
          <option value="all">The whole order</option>
          <option value="categories">Some categories</option>
          <option value="products">Some products</option>
        </SelectField>
      </div>
      {goods.kind === 'categories' && (
        <div className="flex flex-wrap gap-x-5">
          {categories.map(({ _id, title }) => (
            <CheckboxField
              key={_id}
              label={title}
              checked={goods.categories.includes(_id)}
              onChange={({ currentTarget }) => toggle(_id, currentTarget.checked)}
            />
          ))}
        </div>
      )}
      {goods.kind === 'products' && (
        <>
          <ul aria-label="Products it is for" className="flex flex-wrap gap-2">
            {goods.products.map((product) => (
              <li key={product._id}>
                <Button
                  variant="outline"
                  className="px-3"
                  onClick={() =>
                    onChange({ ...goods, products: goods.products.filter((one) => one !== product) })
                  }
                >
                  Remove {product.title}
                </Button>
              </li>
            ))}
          </ul>
          <ProductSearch
            onChoose={({ _id, title }) => {
              if (!goods.products.some((one) => one._id === _id))
                onChange({ ...goods, products: [...goods.products, { _id, title }] })
            }}
          />
        </>
      )}
    </fieldset>
  )
}
