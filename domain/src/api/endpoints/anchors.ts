import { endpoint } from '../endpoint.ts'

export const listAnchors = endpoint('GET', '/api/anchor')
export const readAnchor = endpoint('GET', '/api/anchor/:index')
