import type { WebhookView } from '@befaqt/domain/webhook'
import { useLoaderData } from 'react-router'
import type { Read } from '#web/features/manage/read.ts'
import { WebhookScreen } from '#web/features/manage/webhook/webhook-screen.tsx'

export default function ManageWebhooks() {
  return <WebhookScreen found={useLoaderData<Read<{ webhooks: WebhookView[] }>>()} />
}
