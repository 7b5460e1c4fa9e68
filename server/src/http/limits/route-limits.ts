/** What a route allows one client network and one request. */
export type Limits = {
  /** Bytes of a body; a form with files has its own limits (read-form.ts). */
  bodyBytes: number
  /** Seconds from the head of a request until its answer begins; for an answer that is streamed, until it ends. */
  timeS: number
  /** Requests of one network that are worked on at the same time; up to `MAX_WAITING` others wait their turn. */
  atOnce: number
  /** Requests of one network in a minute; null: what is worked on at the same time is limit enough. */
  perMinute: number | null
}

/** Requests of one network that wait for their turn in a class; further ones are answered 429. */
export const MAX_WAITING = 256

/** Characters of a path with its query. */
export const MAX_URL = 2_000

/** Connections of the whole process, and milliseconds of what happens before a route is known. */
export const serverLimits = {
  connections: 4_096,
  /** Until the head of a request is complete. */
  headMs: 20_000,
  /** Until a request is complete: 220 MB of pictures over a slow line. */
  requestMs: 300_000,
  /** Without a byte in either direction; longer than any route takes to answer. */
  idleMs: 310_000,
  /** How often heads and requests are looked at. */
  checkEveryMs: 5_000,
}
export type ServerLimits = typeof serverLimits

const KIB = 1024
const MIB = 1024 * KIB
/** Bodies of calls that send a few fields. */
const SMALL = 16 * KIB
/** Bodies of all other calls, unless their class says otherwise. */
export const BODY_BYTES = 256 * KIB

/**
 * Classes of routes. Reads that are answered from memory have no count a minute: a crowd behind one address must
 * not be shut out, and what they cost is bounded by what is worked on at the same time.
 */
export const limitClasses = {
  probe: { bodyBytes: SMALL, timeS: 15, atOnce: 8, perMinute: null },
  page: { bodyBytes: SMALL, timeS: 20, atOnce: 8, perMinute: null },
  read: { bodyBytes: SMALL, timeS: 15, atOnce: 8, perMinute: null },
  history: { bodyBytes: SMALL, timeS: 30, atOnce: 4, perMinute: null },
  geocode: { bodyBytes: SMALL, timeS: 10, atOnce: 4, perMinute: 240 },
  'sign-in': { bodyBytes: SMALL, timeS: 30, atOnce: 8, perMinute: 300 },
  mail: { bodyBytes: SMALL, timeS: 30, atOnce: 4, perMinute: 120 },
  link: { bodyBytes: SMALL, timeS: 30, atOnce: 4, perMinute: 120 },
  rpc: { bodyBytes: 128 * KIB, timeS: 30, atOnce: 4, perMinute: 1_200 },
  account: { bodyBytes: BODY_BYTES, timeS: 30, atOnce: 8, perMinute: 600 },
  'manage-read': { bodyBytes: SMALL, timeS: 60, atOnce: 32, perMinute: null },
  'manage-write': { bodyBytes: BODY_BYTES, timeS: 60, atOnce: 32, perMinute: null },
  upload: { bodyBytes: BODY_BYTES, timeS: 300, atOnce: 8, perMinute: null },
  /** A body that names thousands of products. */
  bulk: { bodyBytes: MIB, timeS: 300, atOnce: 4, perMinute: null },
  /** 20,000 products with a description each. */
  file: { bodyBytes: 10 * MIB, timeS: 300, atOnce: 4, perMinute: null },
  /** A whole Box: 20,000 readings and their results fit. */
  box: { bodyBytes: 8 * MIB, timeS: 300, atOnce: 4, perMinute: null },
  /** 1,000 readings of 1,000 bytes; a usual one has 150. */
  readings: { bodyBytes: MIB, timeS: 60, atOnce: 64, perMinute: null },
} as const satisfies Record<string, Limits>

export type LimitClass = keyof typeof limitClasses
