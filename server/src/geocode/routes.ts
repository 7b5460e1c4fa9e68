import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'

const degrees = (most: number) =>
  z.number().min(-most, `must be from -${most} to ${most}`).max(most, `must be from -${most} to ${most}`)

const Query = z.object({
  latlng: z
    .string('is required')
    .regex(/^-?\d{1,3}(\.\d{1,12})?,-?\d{1,3}(\.\d{1,12})?$/, 'must be latitude,longitude')
    .transform((text) => text.split(',').map(Number))
    .pipe(z.tuple([degrees(90), degrees(180)])),
})

/** `GET /api/geocode?latlng=`: the address of a place in the shape of the specification's provider. */
export function geocodeRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/geocode', async (request, reply) => {
    const [latitude, longitude] = parse(Query, request.query).latlng
    const address = await deps.geocoder.addressOf(latitude, longitude)
    if (address === '') return { status: 'ZERO_RESULTS', results: [] } // or the provider failed: not for keeping
    reply.header('cache-control', 'public, max-age=86400')
    return { status: 'OK', results: [{ formatted_address: address }] }
  })
}
