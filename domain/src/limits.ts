/* Limits of what people type and send. The schemas enforce them, pages name them. Free of the schema library. */

export const MAX_DOLLARS = 100_000
/** The most that preparing one unit of a product adds to its price. */
export const MAX_FEE_DOLLARS = 1_000
export const MAX_STOCK = 1_000_000
/** How much of a product one box may be said to hold, in the product's unit. */
export const MAX_QUANTITY = 1_000_000
/** Characters of the description of a picture. */
export const MAX_ALT = 300
/** Characters of the reason for a correction or a seal. */
export const MAX_REASON = 500
/** Characters of what is searched for. */
export const MAX_SEARCH = 100
export const MAX_PAGE = 1_000_000
/** Up to how many what waits for staff is counted. */
export const MAX_WAITING = 100
/** Products of one page of a public list. */
export const SHELF_WINDOW = 48
/** Products of the shop's window on the home page, and of those what is freshest today. */
export const HOME_WINDOW = 12
export const FRESHEST_TODAY = 4
/** Products that a product's page shows beside it. */
export const RELATED = 4
/** Products that a call may name. */
export const MAX_CHOSEN_PRODUCTS = 100
/** Products that one list of favourites holds. */
export const MAX_FAVOURITES = 200

/** Digits of an authenticator's code. Source: spec §5. */
export const CODE_DIGITS = 6

/** Net weight of one line of an order, in grams: a tonne. */
export const MAX_ORDER_GRAMS = 1_000_000
/** Orders that one slot may take. */
export const MAX_SLOT_CAPACITY = 10_000
/** Minutes before its start at which a slot may stop taking orders: two weeks. */
export const MAX_CUT_OFF_MINUTES = 20_160
/** Characters of an `Idempotency-Key`. */
export const MAX_IDEMPOTENCY_KEY = 255

/** Characters of the code of a coupon. */
export const MIN_COUPON_CODE = 3
export const MAX_COUPON_CODE = 32
/** Uses that a coupon may have. */
export const MAX_COUPON_USES = 1_000_000
/** Coupons that there may be. */
export const MAX_COUPONS = 1_000

/** Boxes that a call may name: labels, documents. */
export const MAX_CHOSEN_BOXES = 100
/** Boxes of one EPCIS document, to be written or imported. */
export const MAX_DOCUMENT_BOXES = 100
/** Boxes of one spreadsheet for FSMA 204. */
export const MAX_SHEET_BOXES = 10_000

/** Addresses that an account keeps at most. */
export const MAX_ADDRESSES = 10
/** Characters of what their owner calls one. */
export const MAX_LABEL = 40

/** Of people with rights at the desk together with open invitations, and of owners that are listed. */
export const MAX_STAFF = 200
