import { salesBy } from '../../../domain/src/api/desk-api.ts'
import { orderStates } from '../../../domain/src/order-states.ts'
import { boxStages } from '../../../domain/src/place.ts'
import { boxName, LIVE_BOX } from '../seed-boxes.ts'
import { copyName, SCALE } from './seed-scale.ts'

/** Most milliseconds that 95 of 100 answers take. */
const LIST = 100
/** What Ctrl+K finds, and what waits. */
const FOUND = 50
const REPORT = 300
/** Of files, until their first bytes. */
const FILE = 300

/**
 * What is opened: by whom, under which heading, and within how many milliseconds. What holds a range or all of something has
 * many rows to read; of what holds all it is its first bytes that somebody waits for.
 */
export type Opened = {
  group: string
  path: string
  mostMs: number
  as: 'visitor' | 'desk'
  holds?: 'a range' | 'all'
}

const uuid = (i: number): string => `00000000-0000-4000-8000-${`${i}`.padStart(12, '0')}`
const order = uuid(Math.floor(SCALE.orders / 2))
const slot = uuid(Math.floor(SCALE.slots / 2))
const customer = `bench-${Math.floor(SCALE.customers / 2)}`
const product = `bench-${Math.floor(SCALE.products / 2)}`
const [long, short] = [boxName(0), copyName(Math.floor(SCALE.boxes / 3))]
const today = new Date().toISOString().slice(0, 10)

const group = (name: string, as: Opened['as'], mostMs: number, paths: readonly string[]): Opened[] =>
  paths.map((path) => ({ group: name, path, mostMs, as }))

const holding = (holds: NonNullable<Opened['holds']>, opened: readonly Opened[]): Opened[] =>
  opened.map((one) => ({ ...one, holds }))

const lists = (path: string, queries: readonly string[]): string[] =>
  ['', ...queries].map((query) => `${path}${query && `?${query}`}`)

/** Every page and list that a person opens, with the filters and searches that it has. */
export const pages: readonly Opened[] = [
  ...group('shop', 'visitor', LIST, [
    '/',
    '/category',
    '/category/Fish',
    ...lists('/product', ['page=50', 'q=bream', 'sort=price']),
    `/product/${product}`,
    `/api/product/${product}`,
    `/api/product/${product}/related`,
    ...lists('/api/product/onSale', ['page=50', 'q=bream no']),
    '/api/product/suggestions?q=bre',
    '/api/product/freshest',
    '/api/category/active',
    '/api/slot?kind=pickup',
    '/api/slot/next',
    '/api/delivery/2000',
    '/cart',
    '/sitemap.xml',
  ]),
  ...group('boxes', 'visitor', LIST, [
    ...lists('/SFMBox/byId', ['q=snapper', 'q=B-00012', 'q=zzzyyxx']),
    ...lists('/api/box', ['q=snapper', 'q=e', 'q=B-00012', 'q=yellowfin tuna', 'q=zzzyyxx']),
    ...[long, short, LIVE_BOX].flatMap((id) => [
      `/SFMBox/byId/${id}`,
      `/api/box/${id}`,
      `/api/box/${id}/page`,
    ]),
    ...[long, LIVE_BOX].map((id) => `/api/box/${id}/proof`),
    `/api/box/${LIVE_BOX}/proof?log=1`,
    `/api/box/${long}/epcis`,
    `/api/box/${long}/trade`,
    `/api/box/NONE-1/absence`,
    `/api/box/${long}/label.svg`,
    '/api/anchor',
    '/SFMBox/check',
  ]),
  ...group('own orders', 'desk', LIST, [
    '/user/order',
    ...lists('/api/order', []),
    `/user/order/${order}`,
    `/api/order/${order}`,
    `/api/order/${order}/boxes`,
    '/api/order/waiting/own',
    '/user/profile',
    '/api/user/favourites',
    '/api/user/sessions',
  ]),
  ...group('desk', 'desk', LIST, [
    '/manage',
    '/api/manage/desk/today',
    '/api/manage/attention',
    '/manage/health',
    '/api/chain/health',
    '/manage/site',
    '/manage/staff',
    '/manage/mail',
    '/manage/key',
    '/manage/webhook',
    '/manage/backup',
    ...lists('/api/history', ['entity=product', 'entity=product&id=bench-1', 'entity=slot&page=2']).slice(1),
  ]),
  ...group('found', 'desk', FOUND, [
    '/api/manage/desk/waiting',
    ...[
      'lee77',
      'ann4 lee123',
      'bream no 41',
      'B-00012',
      'snapper',
      'e',
      'zzzyyxx',
      `${SCALE.orders / 2}`,
    ].map((q) => `/api/manage/desk/found?q=${q}`),
  ]),
  ...group('orders', 'desk', LIST, [
    ...lists('/manage/order', ['status=open', 'status=complaint', 'q=lee77']),
    `/manage/order/${order}`,
    ...lists('/api/order/all', [
      'sort=slot',
      'status=open&sort=slot',
      'status=decide',
      ...orderStates.flatMap((status) => [`status=${status}`, `status=${status}&sort=slot`]),
      `slot=${slot}`,
      `slot=${slot}&sort=slot`,
      `day=${today}&sort=slot`,
      'q=lee77',
      'q=ann4 lee123',
      'q=lee',
      'q=e',
      'q=zzzyyxx',
      'q=lee&status=open&sort=slot',
      'q=lee&status=CANCELLED',
      `q=BF-2026-${SCALE.orders / 2}`,
      `q=BF-2026`,
    ]),
    '/api/order/day',
    '/api/order/waiting',
    `/api/order/${order}/manage`,
    `/api/order/${order}/complaint/manage`,
    ...lists('/api/complaint', ['state=OPEN', 'state=check', 'q=lee77']),
    ...lists('/manage/slot', ['when=past']),
    `/manage/slot/${slot}`,
    `/manage/slot/${slot}/pack`,
    ...lists('/api/slot/all', ['when=coming', 'when=past', 'kind=delivery']),
    `/api/slot/${slot}/sheet`,
    '/api/slot/plan',
    '/manage/offer',
  ]),
  ...group('customers', 'desk', LIST, [
    ...lists('/manage/customer', ['q=lee77']),
    `/manage/customer/${customer}`,
    ...lists('/api/manage/customer', ['q=lee77', 'q=lee', 'q=e', 'q=buyer47']),
    `/api/manage/customer/${customer}/orders`,
    ...lists('/manage/user', ['q=lee77']),
    ...lists('/api/user/all', [
      'page=1',
      'page=1&q=lee77',
      'page=1&q=lee',
      'page=1&status=DISABLED',
      'page=1&sort=updated&dir=desc',
      'page=1&sort=email',
    ]).slice(1),
  ]),
  ...group('catalogue', 'desk', LIST, [
    ...lists('/manage/product', ['q=bream', 'status=INACTIVE']),
    ...lists('/api/product', [
      'page=1',
      'page=1&q=bream no 41',
      'page=1&sort=price',
      'page=1&category=c1&sort=updated',
    ]).slice(1),
    `/api/product/${product}/manage`,
    '/manage/category',
  ]),
  ...group('managed boxes', 'desk', LIST, [
    ...lists('/manage/box', ['stage=alerts', 'q=snapper']),
    `/manage/box/${long}`,
    `/manage/box/${short}`,
    ...lists('/api/manage/box', [
      ...[...boxStages, 'alerts'].map((stage) => `stage=${stage}`),
      'q=snapper',
      'q=harbour',
      'q=trader 976',
      'q=e',
      'q=zzzyyxx',
      'q=tuna&stage=at sea',
    ]),
    ...['orders', 'balance', 'recall', 'sale', 'complaints'].map((part) => `/api/box/${short}/${part}`),
    ...lists('/manage/excursion', []),
    ...lists('/api/excursion', ['state=open', 'state=ended', 'state=closed', 'state=withdrawn', 'page=100']),
    `/api/excursion/${uuid(1)}`,
    `/manage/trade?from=${today}&to=${today}`,
    `/api/manage/trade?from=${today}&to=${today}`,
    '/manage/supplier',
    '/manage/device',
    '/api/device',
    '/manage/tracker',
    '/api/tracker',
  ]),
  ...holding(
    'a range',
    group('reports', 'desk', REPORT, [
      '/manage/report',
      ...salesBy.map((by) => `/api/manage/report/sales?by=${by}`),
      '/api/manage/report/fish',
    ]),
  ),
  ...holding(
    'all',
    group('files, first bytes', 'desk', FILE, [
      '/api/order/export.csv',
      `/api/order/export.csv?day=${today}`,
      '/api/order/export.csv?q=lee77',
      ...['order', 'box', 'excursion', 'product', 'user', 'customer', 'slot'].map(
        (list) => `/api/manage/desk/export.csv?list=${list}`,
      ),
      '/api/manage/report/sales/export?by=product',
      '/api/product/export.csv',
      `/api/box/epcis?profile=gdst&box=${long}`,
      `/api/box/${short}/recall.csv`,
      `/api/order/${order}/invoice.pdf`,
    ]),
  ),
]
