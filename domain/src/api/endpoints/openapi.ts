import { endpoint } from '../endpoint.ts'

export const readOpenApi = endpoint('GET', '/api/openapi.json')
export const readDocs = endpoint('GET', '/api/docs')
