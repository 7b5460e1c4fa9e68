/* What the desk's first screen and its rail show: what waits, and what is to be done today. */
import { z } from 'zod'
import { ProductView } from '../catalogue.ts'
import { schemaNames } from '../fields.ts'
import { fulfilmentKinds } from '../order-states.ts'
import { boxStages } from '../place.ts'
import { BoxSaleView } from './recall-api.ts'

/** How much waits for staff, by the screen that shows it: up to `MAX_WAITING`, which stands for as many or more. */
export const Waiting = z
  .strictObject({ orders: z.int(), complaints: z.int(), excursions: z.int(), emails: z.int() })
  .register(schemaNames, { id: 'Waiting' })
export type Waiting = z.infer<typeof Waiting>

/**
 * A box about which somebody may have to do something: it has an excursion that nobody closed, or complaints about its fish
 * at which nobody has looked. What of this the rights of whoever asks don't open is null, and 0.
 */
const BoxInDoubt = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    /** The one that goes on, or the last. Times are RFC 3339. */
    excursion: z
      .strictObject({
        id: z.string(),
        text: z.string(),
        since: z.string(),
        endedAt: z.string().nullable(),
      })
      .nullable(),
    complaints: z.int(),
    sale: BoxSaleView,
    /** Listed products of which it is the only box on sale, and those that other boxes on sale have, too. */
    stops: z.array(z.string()),
    goesOn: z.array(z.string()),
    /** Orders that are packed from it and still in the shop. */
    orders: z.int(),
  })
  .register(schemaNames, { id: 'BoxInDoubt' })
export type BoxInDoubt = z.infer<typeof BoxInDoubt>

/** Orders of a day, without cancelled ones; revenue in cents. */
const DaySold = z.strictObject({ day: z.iso.date(), orders: z.int(), grams: z.number(), revenue: z.number() })

/**
 * What is to be done now. Each list is short: the first of its kind. Times are RFC 3339. What the rights of whoever asks
 * don't open is empty, and 0.
 */
export const DeskToday = z
  .strictObject({
    readAt: z.string(),
    /** Today, and the same weekday a week before. */
    sold: DaySold,
    soldBefore: DaySold,
    /** Slots with orders to pack, the first one first. `orders`: of those not handed out. */
    slots: z.array(
      z.strictObject({
        _id: z.string(),
        kind: z.enum(fulfilmentKinds),
        startsAt: z.string(),
        endsAt: z.string(),
        cutOffAt: z.string(),
        timeZone: z.string(),
        toPack: z.int(),
        orders: z.int(),
      }),
    ),
    /** On sale, best by tomorrow at the latest or past its best. `bestBy`: null when it is past. */
    nearBest: z.array(
      ProductView.pick({
        _id: true,
        title: true,
        price: true,
        discount: true,
        unit: true,
        stock: true,
      }).extend({
        boxID: z.string(),
        bestBy: z.iso.date().nullable(),
      }),
    ),
    runningOut: z.array(ProductView.pick({ _id: true, title: true, unit: true, stock: true })),
    arriving: z.array(z.strictObject({ boxID: z.string(), species: z.string(), stage: z.enum(boxStages) })),
    inDoubt: z.array(BoxInDoubt),
    /** What a shop needs before it can sell, that is not there. */
    missing: z.array(z.enum(['products', 'slots'])),
  })
  .register(schemaNames, { id: 'DeskToday' })
export type DeskToday = z.infer<typeof DeskToday>
