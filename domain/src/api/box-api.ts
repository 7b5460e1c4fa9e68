import type { Box } from '../box.ts'

/** State of one record on the ledger as the server sees it; the visitor's browser checks it by itself. */
export type RecordRow = {
  seq: number
  kind: string
  at: string
  by: string
  recordHash: string
  state: 'anchored' | 'pending' | 'withheld'
  txHash: string | null
  anchorIndex: number | null
  /** RFC 3339, block time of the anchor; null while pending. */
  anchoredAt: string | null
  /** `seq` of the record that this one corrects. */
  corrects?: number
}

/** Figures computed from the records, each with what it was computed from. Source: freshness.md. */
export type BoxFigures = {
  freshnessIndex: number | null
  stars: number | null
  pastItsBest: boolean
  timeLeft: {
    species: string
    shelfLifeAt0: number
    unconfirmed: boolean
    daysUsed: number
    low: number
    high: number
    /** Days left at 0, 4 and 7 °C. */
    left: { temperature: number; days: number; low: number; high: number }[]
  } | null
  /** Why there is no `timeLeft`, in words. */
  timeLeftWhyNot: string | null
  coldChain: {
    minutesAbove5: number
    minutesToCold: number | null
    longestSilenceMinutes: number | null
  } | null
}

export type BoxPageView = {
  box: Box
  sealed: boolean
  /** 'registered' | 'at sea' | 'on the road' | 'at market' | 'sealed' */
  stage: string
  /** Picture of the species from our drawings, path under /api/file/, or null. */
  speciesImage: { path: string; width: number; height: number; alt: string } | null
  records: RecordRow[]
  figures: BoxFigures
  /** Products on sale that come from this box. */
  products: { _id: string; title: string }[]
  /** Addresses by 'latitude,longitude' of the points that the panels show; blank where unknown. */
  addresses: Record<string, string>
  /** The public page says so where traders are samples. */
  sample: boolean
}

export type BoxListRow = {
  boxID: string
  species: string
  caughtAt: string | null
  records: number
  sealed: boolean
}
export type Paged<Row> = { rows: Row[]; page: number; size: number; total: number }

export interface BoxApi {
  /** @throws ShopError `box.not_found` */
  boxPage(boxID: string): Promise<BoxPageView>
  boxes(query: { page?: number; size?: number; q?: string }): Promise<Paged<BoxListRow>>
}
