import * as endpoints from '@befaqt/domain/api/endpoints/devices'
import { DeviceView, Enrolment, EnrolmentProof, NewDevice } from '@befaqt/domain/device'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { beginEnrolment, completeEnrolment, type DeviceDeps } from './enrol-device.ts'
import { listDevices, readDevice } from './read-devices.ts'
import { revokeDevice } from './revoke-device.ts'

const manage = { access: 'admin', limits: 'manage-write' } as const

export const deviceOperations = defineRoutes(endpoints, {
  listDevices: {
    summary: 'Devices that sign readings, with what each signed last.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: z.array(DeviceView) },
  },
  beginEnrolment: {
    ...manage,
    summary: 'Show a device’s public key: answers the message that it has to sign within the hour.',
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
    summary: 'One device.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: DeviceView },
  },
  revokeDevice: {
    ...manage,
    summary: 'Revoke a device’s key for good.',
    responses: { 200: Message },
  },
})

/** The register of devices, for administrators. Source: standards.md 'Signed readings'. */
export function deviceRoutes(app: FastifyInstance, deps: DeviceDeps): void {
  registerRoute(app, deviceOperations.listDevices, () => listDevices(deps.db))
  registerRoute(app, deviceOperations.readDevice, ({ params }) => readDevice(deps.db, params.id))
  registerRoute(app, deviceOperations.beginEnrolment, ({ body }) => beginEnrolment(deps, body))
  registerRoute(app, deviceOperations.completeEnrolment, async ({ principal, params, body }) => {
    await completeEnrolment(deps, principal, params.id, body)
    return readDevice(deps.db, params.id)
  })
  registerRoute(app, deviceOperations.revokeDevice, async ({ principal, params }) => {
    await revokeDevice(deps, principal, params.id)
    return { message: 'The device was revoked.' }
  })
}
