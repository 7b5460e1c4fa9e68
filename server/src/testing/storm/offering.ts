import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import { emailOf, postcodes, productIds } from './beginning.ts'
import { noteOrder, orderOf, place, some, type Wanted } from './buying.ts'
import type { Choice } from './model.ts'
import type { Act } from './storm.ts'

/** Odd enough that cents are left over, few enough uses that they end. */
const shapes: readonly object[] = [
  { percent: 33 },
  { amount: 700, uses: 2 },
  { percent: 15, firstOrder: true },
  { percent: 100, usesEach: 1, products: ['ice'] },
  { amount: 2_501, minimum: 4_000, uses: 3 },
  { percent: 7, uses: 4, usesEach: 2, categories: ['fish'] },
]

/** Guests who order with coupons: few, so that they come again. */
const customers = ['cora', 'carl', 'cleo'] as const

const areas: readonly (readonly object[])[] = [
  [{ area: 'Inner', postcodes: ['2000-2009'], fee: 880, minimum: 0, freeFrom: 9_999 }],
  [{ area: 'All', postcodes: [...postcodes], fee: 1_205, minimum: 1_500, freeFrom: null }],
  [{ area: 'Outer', postcodes: ['2010'], fee: 0, minimum: 500, freeFrom: null }],
  [],
]

/** Ice, then others: goods of each kind of GST. */
function basket(choice: Choice): Wanted[] {
  const [first, second] = [choice.of(productIds.toReversed()), choice.of(productIds)]
  const lines = [{ product: first, quantity: some(choice, first, 4) }]
  return first === second ? lines : [...lines, { product: second, quantity: some(choice, second, 5) }]
}

function wanted(choice: Choice, code: string) {
  const who = choice.of([...customers, 'ann'] as const)
  const asAnn = who === 'ann'
  const [lines, kind] = [basket(choice), choice.once(3) ? ('delivery' as const) : ('pickup' as const)]
  return { lines, kind, coupon: code, asAnn, ...(!asAnn && { email: emailOf(who) }), card: choice.once(4) }
}

/** Coupons, and what delivery costs. */
export const offering: readonly Act[] = [
  {
    name: 'make a coupon',
    when: ({ coupons }) => coupons.length < shapes.length,
    run: async (storm, model) => {
      const code = `COUPON-${model.coupons.length}`
      const payload = { code, ...shapes[model.coupons.length] }
      const made = (await storm.ask('POST', '/api/coupon', { as: 'manager', payload })).json<ManagedCoupon>()
      model.coupons.push({ id: made._id, code, ended: false })
      return true
    },
  },
  {
    name: 'order with a coupon',
    weight: 4,
    when: ({ coupons }) => coupons.length > 0,
    run: (storm, model, choice) => {
      const { code } = choice.of(model.coupons)
      return place(storm, model, choice, wanted(choice, code))
    },
  },
  {
    name: 'order twice at once with a coupon',
    weight: 2,
    when: ({ coupons }) => coupons.length > 0,
    run: async (storm, model, choice) => {
      const { code } = choice.of(model.coupons)
      const one = wanted(choice, code)
      const asked = [one, choice.once(2) ? one : wanted(choice, code)]
      const orders = asked.map((order) => orderOf(model, choice, order))
      const answers = await Promise.all(orders.map(({ asking }) => storm.ask('POST', '/api/order', asking)))
      for (const [i, order] of orders.entries())
        if (answers[i]?.statusCode === 201) noteOrder(model, answers[i].json(), order)
      return answers.some(({ statusCode }) => statusCode === 201)
    },
  },
  {
    name: 'end a coupon, or let it go on',
    when: ({ coupons }) => coupons.length > 0,
    run: async (storm, model, choice) => {
      const coupon = choice.of(model.coupons.toReversed())
      const ended = !coupon.ended
      const done = await storm.does('PATCH', `/api/coupon/${coupon.id}`, {
        as: 'manager',
        payload: { ended },
      })
      if (done) coupon.ended = ended
      return done
    },
  },
  {
    name: 'change what delivery costs',
    run: async (storm, _model, choice) => {
      const seen = (await storm.ask('GET', '/api/manage/site/delivery', { as: 'manager' })).json<{
        version: number
      }>()
      const payload = { part: 'delivery', areas: choice.of(areas) }
      const headers = { 'if-match': `"${seen.version}"` }
      return storm.does('PUT', '/api/manage/site', { as: 'manager', payload, headers })
    },
  },
]
