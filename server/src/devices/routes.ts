import { type Paged, paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/devices'
import {
  DeviceView,
  Enrolment,
  EnrolmentProof,
  NewDevice,
  Revocation,
  silentAfterMs,
} from '@befaqt/domain/device'
import { ShopError } from '@befaqt/domain/errors'
import { and, desc, eq, ilike, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { countListed, falling, keysetPage } from '#server/db/keyset.ts'
import { deviceBoxes, devices } from '#server/db/schema/devices.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { likeText } from '#server/db/search-and-order.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { beginEnrolment, completeEnrolment, type DeviceDeps, revokeDevice } from './device-life.ts'

/** The query of the list of devices. */
const DeviceQuery = ListQuery.pick({ ...PLACE, q: true }).extend({
  kind: z.enum(['valid', 'revoked']).optional(),
})
type DeviceQuery = z.infer<typeof DeviceQuery>

const read = { access: { right: 'device:write', allBoxes: true }, limits: 'manage-read' } as const
const manage = { access: { right: 'device:write', allBoxes: true }, limits: 'manage-write' } as const

export const deviceOperations = defineRoutes(endpoints, {
  listDevices: {
    ...read,
    summary: 'Devices that sign readings, with what each signed last, newest first.',
    query: DeviceQuery,
    responses: { 200: paged(DeviceView) },
  },
  beginEnrolment: {
    ...manage,
    summary: 'Show a device’s public key: returns the message that it has to sign within the hour.',
    body: NewDevice,
    responses: { 201: Enrolment },
    errors: [409],
  },
  completeEnrolment: {
    ...manage,
    summary: 'Register a device with its signature over the message.',
    body: EnrolmentProof,
    responses: { 201: DeviceView },
    errors: [409],
  },
  readDevice: {
    ...read,
    summary: 'One device.',
    responses: { 200: DeviceView },
  },
  revokeDevice: {
    ...manage,
    summary: 'Revoke a device’s key for good.',
    body: Revocation,
    responses: { 200: Message },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const deviceReads = {
  listDevices: ({ db }, { query }) => listDevices(db, query),
  readDevice: ({ db }, { params }) => readDevice(db, params.id),
} satisfies Reads<typeof deviceOperations, Pick<DeviceDeps, 'db'>>

/** The register of devices, for administrators and keys with `device:write`. Source: standards.md 'Signed readings'. */
export function deviceRoutes(app: FastifyInstance, deps: DeviceDeps): void {
  registerReads(app, deviceOperations, deviceReads, deps)
  registerRoute(app, deviceOperations.beginEnrolment, ({ body }) => beginEnrolment(deps, body))
  registerRoute(app, deviceOperations.completeEnrolment, async ({ principal, params, body }) => {
    await completeEnrolment(deps, principal, params.id, body)
    return readDevice(deps.db, params.id)
  })
  registerRoute(app, deviceOperations.revokeDevice, async ({ principal, params, body }) => {
    await revokeDevice(deps, principal, params.id, body)
    return { message: 'The device was revoked.' }
  })
}

/**
 * Devices of the register, newest first, each with what it signed last. `q` looks in names and ids of keys. What was
 * signed is looked up for the devices of the page alone, each by the primary key of its boxes.
 */
async function listDevices(db: Db, query: DeviceQuery): Promise<Paged<DeviceView>> {
  const text = likeText(query.q ?? '')
  const where = and(
    query.q ? or(ilike(devices.name, text), ilike(devices.id, text)) : undefined,
    query.kind && (query.kind === 'valid' ? isNull(devices.revokedAt) : isNotNull(devices.revokedAt)),
  )
  const { rows: found, ...page } = await keysetPage(
    query,
    { keys: newestFirst, of: ['devices', query] },
    ({ where: beyond, order, limit, offset, at }) =>
      db
        .select({ id: devices.id, at })
        .from(devices)
        .where(and(where, beyond))
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, devices, where, beyond),
  )
  const ids = found.map(({ id }) => id)
  return { ...page, rows: await select(db, inArray(devices.id, ids)) }
}

const newestFirst = [falling(devices.createdAt), falling(devices.id)]

/** One device. @throws ShopError `not_found` */
async function readDevice(db: Db, id: string): Promise<DeviceView> {
  const [device] = await select(db, eq(devices.id, id))
  if (device === undefined) throw new ShopError('not_found', 'There is no such device.')
  return device
}

/** Devices that match, newest first. */
async function select(db: Db, where: SQL): Promise<DeviceView[]> {
  const page = db.select().from(devices).where(where).as('page')
  const last = db
    .select()
    .from(deviceBoxes)
    .where(eq(deviceBoxes.deviceId, page.id))
    .orderBy(desc(deviceBoxes.heardAt), desc(deviceBoxes.counter))
    .limit(1)
    .as('last')
  const found = await db
    .select()
    .from(page)
    .leftJoinLateral(last, eq(last.deviceId, page.id))
    .leftJoin(suppliers, eq(suppliers.userId, page.supplierId))
    .orderBy(desc(page.createdAt), desc(page.id))
  return found.map(({ page: device, last: said, suppliers: owner }) =>
    viewOf(device, said, owner?.party ?? null),
  )
}

type Said = typeof deviceBoxes.$inferSelect

function viewOf(device: typeof devices.$inferSelect, said: Said | null, party: string | null): DeviceView {
  const intervalS = said?.heardBefore ? (said.heardAt.getTime() - said.heardBefore.getTime()) / 1000 : null
  const isHeard = said !== null && device.revokedAt === null
  return {
    id: device.id,
    name: device.name,
    level: device.level,
    publicKey: device.publicKey,
    supplier: device.supplierId === null ? null : { userId: device.supplierId, party },
    validFrom: device.validFrom.toISOString(),
    revokedAt: device.revokedAt?.toISOString() ?? null,
    last: said && {
      box: said.boxId,
      readingAt: said.readingAt.toISOString(),
      heardAt: said.heardAt.toISOString(),
      temperature: Number(said.temperature.toFixed(2)),
      battery: said.battery,
    },
    intervalS,
    silentFrom: isHeard ? new Date(said.heardAt.getTime() + silentAfterMs(intervalS)).toISOString() : null,
  }
}
