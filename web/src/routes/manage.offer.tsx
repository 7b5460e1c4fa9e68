import { useLoaderData } from 'react-router'
import { OfferScreen, type OffersFound } from '#web/features/manage/offer/offer-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

export default function ManageOffer() {
  return <OfferScreen found={useLoaderData<Read<OffersFound>>()} />
}
