import { urlOf } from '@befaqt/domain/api/endpoint'
import { beginEnrolment, completeEnrolment } from '@befaqt/domain/api/endpoints/devices'
import { type DeviceLevel, Enrolment } from '@befaqt/domain/device'
import type { Signer } from '@befaqt/provenance/signed/signer'
import { callServer, type Target } from './this-server.ts'

/** Registers a device at a running server: shows its public key, and signs what the server answers. */
export async function enrol(
  target: Target,
  signer: Signer,
  device: { name: string; level: DeviceLevel; validFrom?: string },
): Promise<void> {
  const publicKey = Buffer.from(signer.publicKey).toString('hex')
  const { id, message } = Enrolment.parse(await callServer(target, beginEnrolment, { ...device, publicKey }))
  const signature = Buffer.from(signer.sign(Buffer.from(message, 'hex'))).toString('hex')
  const { method } = completeEnrolment
  await callServer(target, { method, url: urlOf(completeEnrolment, { params: { id } }) }, { signature })
}
