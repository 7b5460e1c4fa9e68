import { z } from 'zod'
import { Box } from '../box.ts'
import { ImageView, ProductBox } from '../catalogue.ts'
import { coldChainMarks } from '../cold-chain.ts'
import { schemaNames } from '../fields.ts'
import { freshnessWords } from '../freshness-word.ts'
import { PLACE_TEXT } from '../list-place.ts'
import { boxStages } from '../place.ts'
import { readingLevels } from '../reading-level.ts'

/** A whole Box in responses. */
export const WholeBox = Box.clone().register(schemaNames, { id: 'Box' })

/** State of one record on the ledger according to the server; the visitor's browser verifies it independently. */
export const RecordRow = z
  .strictObject({
    seq: z.int(),
    kind: z.string(),
    at: z.string(),
    by: z.string(),
    recordHash: z.string(),
    state: z.enum(['anchored', 'pending', 'withheld']),
    txHash: z.string().nullable(),
    anchorIndex: z.int().nullable(),
    /** RFC 3339, block time of the anchor; null while pending. */
    anchoredAt: z.string().nullable(),
    /** `seq` of the record that this one corrects. */
    corrects: z.int().exactOptional(),
    /** Of a reading: how it came, as its record says. A signature is for the visitor's browser to check. */
    level: z.enum(readingLevels).exactOptional(),
  })
  .register(schemaNames, { id: 'RecordRow' })
export type RecordRow = z.infer<typeof RecordRow>

/**
 * Metrics computed from the records, each with its inputs. `freshnessIndex` and `stars` are the specification's; what may
 * be said of a box at a moment is `freshnessAt` (freshness-word.ts). Source: freshness.md.
 */
export const BoxMetrics = z
  .strictObject({
    freshnessIndex: z.number().nullable(),
    stars: z.number().nullable(),
    pastItsBest: z.boolean(),
    timeLeft: z
      .strictObject({
        species: z.string(),
        shelfLifeAt0: z.number(),
        kind: z.enum(['temperate', 'tropical']),
        unconfirmed: z.boolean(),
        /** Days at 0 °C used from the catch to the last reading, with range. */
        daysUsed: z.number(),
        low: z.number(),
        high: z.number(),
        /** RFC 3339. */
        lastReadingAt: z.string(),
        /**
         * What it is taken to lie at since the last reading, in °C, and from when on (RFC 3339): at that temperature,
         * never below ice, then at what a probe showed at a hand-over.
         */
        held: z.array(z.strictObject({ temperature: z.number(), from: z.string() })),
        /** Until when it is at its best when held like that, with range. RFC 3339. */
        bestBy: z.strictObject({ at: z.string(), low: z.string(), high: z.string() }),
      })
      .nullable(),
    /** Why there is no `timeLeft`, as text. */
    timeLeftWhyNot: z.string().nullable(),
    /** The last temperature, in °C, and when it was measured: by the sensor, or by a probe at a hand-over. */
    lastMeasured: z
      .strictObject({
        at: z.string(),
        temperature: z.number(),
        isProbe: z.boolean(),
        /** From when on nobody knows how the fish is: only after a temperature above 5 °C. RFC 3339. */
        unknownFrom: z.string().nullable(),
      })
      .nullable(),
    /** Does its species form histamine where it gets warm? */
    formsHistamine: z.boolean(),
    coldChain: z
      .strictObject({
        minutesAbove5: z.number(),
        minutesToCold: z.number().nullable(),
        longestSilenceMinutes: z.number().nullable(),
        usualIntervalMinutes: z.number().nullable(),
        /** °C. */
        highest: z.number(),
        /** RFC 3339. */
        highestAt: z.string(),
      })
      .nullable(),
  })
  .register(schemaNames, { id: 'BoxFigures' })
export type BoxMetrics = z.infer<typeof BoxMetrics>

/**
 * What may be said of a box's freshness at a moment (`freshnessAt`). `word`: null where nothing is known. `stars`: by the
 * specification's formula, blank where the index, of warmth, is used up. `bestBy`: date in market time; null once it is
 * past its best. `unknown`: the last temperature, above 5 °C, since when nobody knows how it is, in market time.
 */
export const FreshnessNow = z
  .strictObject({
    word: z.enum(freshnessWords).nullable(),
    stars: z.int().nullable(),
    isWarmthUsedUp: z.boolean(),
    bestBy: z.iso.date().nullable(),
    unknown: z.strictObject({ at: z.string(), temperature: z.number() }).nullable(),
  })
  .register(schemaNames, { id: 'FreshnessNow' })
export type FreshnessNow = z.infer<typeof FreshnessNow>

/** That a box is recalled, why, and since when, as its record says. */
const BoxRecall = z
  .strictObject({
    reason: z.string(),
    at: z.string(),
    /** Whether its history says so: nothing can be added to a box that was sealed before. */
    inHistory: z.boolean(),
  })
  .register(schemaNames, { id: 'BoxRecall' })
export type BoxRecall = z.infer<typeof BoxRecall>

export const BoxPageView = z
  .strictObject({
    box: WholeBox,
    sealed: z.boolean(),
    recall: BoxRecall.nullable(),
    /** Taken off sale by a manager: then nothing is said of its freshness. */
    offSale: z.boolean(),
    stage: z.enum(boxStages),
    /** Drawing of the species, path under /api/file/, or null. */
    speciesImage: ImageView.nullable(),
    records: z.array(RecordRow),
    figures: BoxMetrics,
    /** Products on sale that come from this box; none while it is recalled. */
    products: z.array(z.strictObject({ _id: z.string(), title: z.string() })),
    /** Addresses by 'latitude,longitude' of the points that the panels show; blank where unknown. */
    addresses: z.record(z.string(), z.string()),
    /** When the box came ashore, derived from a coastline; null while it is at sea, or was never seen there. */
    landedAt: z.string().nullable(),
    /**
     * A contract of protocol 1 in which the first `count` records were anchored by then, before they were anchored
     * anew.
     */
    formerLedger: z
      .strictObject({ contract: z.string(), count: z.int(), anchoredAt: z.string() })
      .exactOptional(),
    /**
     * When this was as it says, to the hour, or since when its state is unknown: from here on the page counts by the
     * visitor's clock. RFC 3339.
     */
    asOf: z.string(),
    /** Whether the trader is sample data, which the public page says. */
    sample: z.boolean(),
  })
  .register(schemaNames, { id: 'BoxPage' })
export type BoxPageView = z.infer<typeof BoxPageView>

/** What is new of a page: the page itself, its long lists without the first items, which its reader has already. */
export const BoxPageNews = z
  .strictObject({
    kept: z.strictObject({ records: z.int(), readings: z.int(), freshness: z.int() }),
    page: BoxPageView,
  })
  .register(schemaNames, { id: 'BoxPageNews' })
export type BoxPageNews = z.infer<typeof BoxPageNews>

export const BoxListRow = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    caughtAt: z.string().nullable(),
    records: z.int(),
    sealed: z.boolean(),
    recalled: z.boolean(),
    offSale: z.boolean(),
    /** How fresh its fish is and where from; null where nothing may be said of it, or nothing is known yet. */
    box: ProductBox.nullable(),
    /** Of a product on sale from it. */
    image: ImageView.nullable(),
  })
  .register(schemaNames, { id: 'BoxListRow' })
export type BoxListRow = z.infer<typeof BoxListRow>

/** The part of a list that is asked for: a page by its number, or what follows or precedes a place that an answer named. */
export type ListPlace = {
  page?: number | undefined
  size?: number | undefined
  after?: string | undefined
  before?: string | undefined
}

/** A place in a list, as an answer names it and an address has it. */
export const PlaceText = z.string().regex(PLACE_TEXT, 'is no place in a list')

/**
 * `atLeast`: there are more rows than `total` says, which were not counted. Of lists that are read by places, `first` is
 * the number of the first row, where it is known; `next` and `prev` are what to ask with as `after` and `before`.
 */
export type Paged<Row> = {
  rows: Row[]
  page: number
  size: number
  total: number
  atLeast?: true | undefined
  first?: number | undefined
  next?: string | null | undefined
  prev?: string | null | undefined
}

/** One page of a list, and the total number of rows. */
export const paged = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({
    rows: z.array(row),
    page: z.int().describe('from 1; 0: not known, so far behind is it'),
    size: z.int(),
    total: z.int(),
    atLeast: z.literal(true).optional().describe('there are more rows than `total`, which were not counted'),
    first: z.int().optional().describe('number of the first row, from 1, where it is known'),
    next: z.string().nullable().optional().describe('ask with it as `after` for what follows; null: nothing'),
    prev: z
      .string()
      .nullable()
      .optional()
      .describe('ask with it as `before` for what precedes; null: nothing'),
  })

/**
 * A box of an order as it was when it was sold, or as it is while the order is not packed. Of lines that no box is packed
 * for yet, the box that cards show: another one may be packed. Times are RFC 3339; null: not known.
 */
export const OrderBox = z
  .strictObject({
    boxID: z.string(),
    /** When it was sold; null: not yet. */
    soldAt: z.string().nullable(),
    species: z.string(),
    /** As of then, or as of now. */
    freshness: FreshnessNow,
    /** Of its readings by then. Null without any, and where nothing may be said of the box. */
    coldChain: z.enum(coldChainMarks).nullable(),
    /** Positions of the lines that it would be packed for, as things stand; empty: it is packed. */
    expectedFor: z.array(z.int()),
  })
  .register(schemaNames, { id: 'OrderBox' })
export type OrderBox = z.infer<typeof OrderBox>

/** What a process serves, by its SHA-256, and its place in the log of builds; null: it is not signed there yet. */
const PlacedBuild = z.strictObject({ hash: z.string(), index: z.int().nullable() })
export const BuildView = z.strictObject({
  version: z.string(),
  /** The manifest of all that the pages load. */
  build: PlacedBuild,
  /** check.html; null: there is none. */
  checker: PlacedBuild.nullable(),
  /** The newest signed state of the log; null: nothing of it is signed yet. */
  log: z.strictObject({ origin: z.string(), size: z.int() }).nullable(),
})
export type BuildView = z.infer<typeof BuildView>
