import { paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/devices'
import { DeviceView, Enrolment, EnrolmentProof, NewDevice, Revocation } from '@befaqt/domain/device'
import type { FastifyInstance } from 'fastify'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { beginEnrolment, completeEnrolment, type DeviceDeps, revokeDevice } from './device-life.ts'
import { DeviceQuery, listDevices, readDevice } from './read-devices.ts'

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
