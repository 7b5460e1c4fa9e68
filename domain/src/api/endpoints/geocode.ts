import { endpoint } from '../endpoint.ts'

export const geocode = endpoint('GET', '/api/geocode')
