import * as endpoints from '@befaqt/domain/api/endpoints/shop'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { Geocoder } from './geocode.ts'

const degrees = (most: number) =>
  z.number().min(-most, `must be from -${most} to ${most}`).max(most, `must be from -${most} to ${most}`)

const Query = z.object({
  latlng: z
    .string('is required')
    .regex(/^-?\d{1,3}(\.\d{1,12})?,-?\d{1,3}(\.\d{1,12})?$/, 'must be latitude,longitude')
    .transform((text) => text.split(',').map(Number))
    .pipe(z.tuple([degrees(90), degrees(180)]))
    .describe('latitude,longitude'),
})

export const geocodeOperations = defineRoutes(endpoints, {
  geocode: {
    summary: 'Address of a place.',
    access: 'public',
    limits: 'geocode',
    skipAuthentication: true,
    query: Query,
    responses: {
      200: z.strictObject({
        status: z.enum(['OK', 'ZERO_RESULTS']),
        results: z.array(z.strictObject({ formatted_address: z.string() })),
      }),
    },
  },
})

/** `GET /api/geocode?latlng=`: the address of a place in the shape of the specification's provider. */
export function geocodeRoutes(app: FastifyInstance, deps: { geocoder: Geocoder }): void {
  registerRoute(app, geocodeOperations.geocode, async ({ query, reply }) => {
    const [latitude, longitude] = query.latlng
    const address = await deps.geocoder.addressOf(latitude, longitude)
    if (address === '') return { status: 'ZERO_RESULTS' as const, results: [] } // or the provider failed: must not be cached
    reply.header('cache-control', 'public, max-age=86400')
    return { status: 'OK' as const, results: [{ formatted_address: address }] }
  })
}
