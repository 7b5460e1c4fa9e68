import type { DeviceView } from '@befaqt/domain/device'
import { ShopError } from '@befaqt/domain/errors'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { deviceBoxes, devices } from '#server/db/schema/devices.ts'

/** Devices that managers are shown: the newest. */
const MAX_DEVICES = 1_000

const newest = (db: Db) =>
  db
    .selectDistinctOn([deviceBoxes.deviceId])
    .from(deviceBoxes)
    .orderBy(deviceBoxes.deviceId, desc(deviceBoxes.heardAt), desc(deviceBoxes.counter))
    .as('newest')

async function select(db: Db, id?: string): Promise<DeviceView[]> {
  const last = newest(db)
  const found = await db
    .select()
    .from(devices)
    .leftJoin(last, eq(last.deviceId, devices.id))
    .where(id === undefined ? sql`true` : eq(devices.id, id))
    .orderBy(desc(devices.createdAt), desc(devices.id))
    .limit(MAX_DEVICES)
  return found.map(({ devices: device, newest: said }) => ({
    id: device.id,
    name: device.name,
    level: device.level,
    publicKey: device.publicKey,
    validFrom: device.validFrom.toISOString(),
    revokedAt: device.revokedAt?.toISOString() ?? null,
    last: said && {
      box: said.boxId,
      readingAt: said.readingAt.toISOString(),
      heardAt: said.heardAt.toISOString(),
      temperature: Number(said.temperature.toFixed(2)),
      battery: said.battery,
    },
    intervalS: said?.heardBefore ? (said.heardAt.getTime() - said.heardBefore.getTime()) / 1000 : null,
  }))
}

/** All devices of the register, newest first, revoked ones too, each with what it signed last. */
export const listDevices = (db: Db): Promise<DeviceView[]> => select(db)

/** One device. @throws ShopError `not_found` */
export async function readDevice(db: Db, id: string): Promise<DeviceView> {
  const [device] = await select(db, id)
  if (device === undefined) throw new ShopError('not_found', 'There is no such device.')
  return device
}
