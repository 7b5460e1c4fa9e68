import { endpoint, types } from '../endpoint.ts'

export const readFile = endpoint('GET', '/api/file/*', types<{ query: { w?: number; f?: 'avif' | 'webp' } }>)
