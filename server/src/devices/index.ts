// What other features use of devices, and all that they may import of it.

export { beginEnrolment, completeEnrolment, type DeviceDeps } from './device-life.ts'
