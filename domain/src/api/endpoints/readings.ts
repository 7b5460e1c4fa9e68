import { endpoint } from '../endpoint.ts'

export const sendReadings = endpoint('POST', '/api/tracking')
