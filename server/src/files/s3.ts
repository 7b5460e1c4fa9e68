import { S3Client } from '@aws-sdk/client-s3'
import { Disk } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'

/** A healthy store is faster than this: an image has some hundred kilobytes. */
const CONNECT_TIMEOUT_MS = 2_000
const REQUEST_TIMEOUT_MS = 4_000
/** The first and one more. */
const ATTEMPTS = 2

/** The bucket at `s3://bucket?endpoint=…&region=…`; keys from the usual AWS variables. Loaded only where it is used. */
export function bucket(url: URL): Disk {
  const endpoint = url.searchParams.get('endpoint')
  const client = new S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      socketTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  })
  return new Disk(new S3Driver({ client, bucket: url.hostname, visibility: 'private', supportsACL: false }))
}
