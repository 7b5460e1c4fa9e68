import { randomUUID } from 'node:crypto'
import type { FieldEntry } from '@befaqt/domain/field-entry'
import { asc, eq } from 'drizzle-orm'
import { records } from '#server/db/schema/boxes.ts'
import { supplierLabels, suppliers } from '#server/db/schema/suppliers.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { cheapPasswords } from './accounts.ts'
import { type Caller, callerOf } from './caller.ts'
import { type TestShop, testShop } from './shop.ts'

// Suppliers and what their phones send, for tests.

export const NOW = new Date('2026-11-20T00:00:00Z')
export const DAY = 86_400_000
export const ago = (ms: number): string => new Date(NOW.getTime() - ms).toISOString()
export const fisher = {
  traderID: 'T-1',
  traderName: 'Sample Fisher',
  companyName: '',
  boat: 'Gannet',
  address: '',
}

export type FieldShop = TestShop & { mail: EmailMessage[]; wait(ms: number): void }

/** A shop whose clock stands until it is told to go on, and whose emails are kept. */
export async function fieldShop(more?: Parameters<typeof testShop>[0]): Promise<FieldShop> {
  let now = NOW
  const mail: EmailMessage[] = []
  const mailer = {
    send: async (message: EmailMessage) => void mail.push(message),
    close: async () => undefined,
  }
  const deps = { now: () => now, mailer, passwords: cheapPasswords }
  const shop = await testShop({ ...more, deps })
  const wait = (ms: number): void => {
    now = new Date(now.getTime() + ms)
  }
  return { ...shop, mail, wait }
}

/** What labels begin with that every supplier of tests has: each with a dash and one or two digits. */
const LABELS = 'CDFHMPRT'

/** A supplier with these names in records, and labels. */
export async function supplier(shop: TestShop, id: string, name: string): Promise<Caller> {
  const call = await callerOf(shop, id, 'SUPPLIER')
  const identity = { ...fisher, traderID: id, traderName: name }
  await shop.deps.db.insert(suppliers).values({ userId: id, fisher: identity, party: name })
  const labels = [...LABELS].flatMap((letter) =>
    [1, 2].map((digits) => ({
      id: randomUUID(),
      userId: id,
      prefix: `${letter}-`,
      digits,
      first: 0,
      last: 99,
    })),
  )
  await shop.deps.db.insert(supplierLabels).values(labels)
  return call
}

export const common = (madeBy: string, box: string) => ({
  id: randomUUID(),
  madeBy,
  box,
  madeAt: ago(60_000),
  sentAt: ago(0),
  latitude: -33.9,
  longitude: 151.3,
  accuracy: 12,
})
export const caught = (madeBy: string, box: string, more: object = {}): FieldEntry => ({
  ...common(madeBy, box),
  kind: 'catch',
  boat: 'Gannet',
  species: 'Snapper',
  size: '45 cm',
  method: 'Line',
  note: '',
  ...more,
})
export const handed = (
  madeBy: string,
  box: string,
  from: string,
  to: string,
  more: object = {},
): FieldEntry => ({
  ...common(madeBy, box),
  kind: 'handover',
  from,
  to,
  temperature: 1.5,
  accepted: true,
  reason: '',
  ...more,
})
export const send = (call: Caller, entry: object) => call('POST', '/api/field/entry', { entry })

export const factsOf = async ({ deps }: TestShop, boxID: string) =>
  (await deps.db.select().from(records).where(eq(records.boxId, boxID)).orderBy(asc(records.seq))).map(
    ({ body }) => {
      const { salt: _, box: _box, ...fact } = JSON.parse(body ?? '')
      return fact
    },
  )
