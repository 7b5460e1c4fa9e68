import { PART_BYTES } from '@befaqt/domain/restore-parts'

/** The limits of a route, for one request and for one client network. */
export type Limits = {
  /** Bytes of a body; a form with files has its own limits (multipart-form.ts). */
  bodyBytes: number
  /** Seconds from the headers of a request until its response begins; for a streamed response, until it ends. */
  timeoutS: number
  /** Requests of one network handled at the same time; up to `MAX_WAITING` others wait. */
  maxConcurrent: number
  /** Requests of one network in a minute; null: the limit on concurrency is enough. */
  perMinute: number | null
}

/** Requests of one network that wait in a class; further ones are answered 429. */
export const MAX_WAITING = 256

/** Characters of a path and query. */
const MAX_URL = 2_000
/** The same where the query may name 100 boxes, products or categories, each of 64 characters and an encoded comma. */
const MAX_LIST_URL = 7_000
const NAMES_MANY =
  /^\/(?:manage\/trade|api\/(?:manage\/(?:trade|labels)|box\/epcis|product\/(?:byIds|import)))\?/

/** Is this path with its query longer than any that is called here? */
export const isUrlTooLong = (url: string): boolean =>
  url.length > (NAMES_MANY.test(url) ? MAX_LIST_URL : MAX_URL)

/** Limits of the HTTP server: connections of the process, and timeouts before a route is known. */
export const serverLimits = {
  connections: 4_096,
  /** Of one network, unless it is a trusted proxy: hundreds of visitors behind one address, but never all there are. */
  connectionsPerNetwork: 1_024,
  /** Until the headers of a request are complete. */
  headersTimeoutMs: 20_000,
  /** Until a request is complete: 220 MB of pictures over a slow line. */
  requestTimeoutMs: 300_000,
  /** Without a byte in either direction; longer than any route takes to answer. */
  idleTimeoutMs: 310_000,
  /** How often these timeouts are checked. */
  checkIntervalMs: 5_000,
}
export type ServerLimits = typeof serverLimits

const KIB = 1024
const MIB = 1024 * KIB
/** Bodies of requests with a few fields. */
const SMALL_BODY_BYTES = 16 * KIB
/** Bodies of all other requests, unless their class says otherwise. */
export const BODY_BYTES = 256 * KIB

/**
 * Classes of routes. Reads that are served from memory have no limit per minute: many people may share one address, and
 * the concurrency limit bounds the cost.
 */
export const limitClasses = {
  probe: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 15, maxConcurrent: 8, perMinute: null },
  /** Up to a megabyte of text: for a scraper or two. */
  metrics: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 15, maxConcurrent: 1, perMinute: 60 },
  page: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 20, maxConcurrent: 8, perMinute: null },
  read: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 15, maxConcurrent: 8, perMinute: null },
  history: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 30, maxConcurrent: 4, perMinute: null },
  /** Until an event stream begins; how many may be open is limited by streams.ts of the boxes. */
  stream: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 15, maxConcurrent: 16, perMinute: 600 },
  /** What the codes on labels lead to, read by scanners and pages of others. */
  resolver: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 15, maxConcurrent: 8, perMinute: 1_200 },
  geocode: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 10, maxConcurrent: 4, perMinute: 240 },
  'sign-in': { bodyBytes: SMALL_BODY_BYTES, timeoutS: 30, maxConcurrent: 8, perMinute: 300 },
  mail: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 30, maxConcurrent: 4, perMinute: 120 },
  link: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 30, maxConcurrent: 4, perMinute: 120 },
  rpc: { bodyBytes: 128 * KIB, timeoutS: 30, maxConcurrent: 4, perMinute: 1_200 },
  /** Orders, holds and slots of shoppers; each changes rows that others wait for. */
  order: { bodyBytes: 64 * KIB, timeoutS: 30, maxConcurrent: 8, perMinute: 1_200 },
  /** Messages of the provider of payments, which has few addresses. */
  webhook: { bodyBytes: BODY_BYTES, timeoutS: 30, maxConcurrent: 16, perMinute: 6_000 },
  account: { bodyBytes: BODY_BYTES, timeoutS: 30, maxConcurrent: 8, perMinute: 600 },
  /** All that is kept of somebody, read anew each time. */
  copy: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 300, maxConcurrent: 4, perMinute: 60 },
  /** A file of gigabytes over a slow line, which goes on by range where it was cut off. */
  download: { bodyBytes: SMALL_BODY_BYTES, timeoutS: 6 * 3_600, maxConcurrent: 4, perMinute: 600 },
  'manage-read': { bodyBytes: SMALL_BODY_BYTES, timeoutS: 60, maxConcurrent: 32, perMinute: null },
  'manage-write': { bodyBytes: BODY_BYTES, timeoutS: 60, maxConcurrent: 32, perMinute: null },
  upload: { bodyBytes: BODY_BYTES, timeoutS: 300, maxConcurrent: 8, perMinute: null },
  /** A part of a backup, of which each is kept: so a slow line sends all of one. */
  part: { bodyBytes: PART_BYTES, timeoutS: 300, maxConcurrent: 2, perMinute: 1_200 },
  /** Photos of anybody who has an order, of which pictures are made by a process of its own. */
  photos: { bodyBytes: BODY_BYTES, timeoutS: 300, maxConcurrent: 4, perMinute: 60 },
  /** A body that names thousands of products. */
  bulk: { bodyBytes: MIB, timeoutS: 300, maxConcurrent: 4, perMinute: null },
  /** 20,000 products with a description each. */
  file: { bodyBytes: 10 * MIB, timeoutS: 300, maxConcurrent: 4, perMinute: null },
  /** A whole Box: 20,000 readings and their results fit. */
  box: { bodyBytes: 8 * MIB, timeoutS: 300, maxConcurrent: 4, perMinute: null },
  /** 1,000 readings of 1,000 bytes; a usual one has 150. */
  readings: { bodyBytes: MIB, timeoutS: 60, maxConcurrent: 64, perMinute: null },
} as const satisfies Record<string, Limits>

export type LimitClass = keyof typeof limitClasses
