import { Form, useSearchParams } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useToday } from '#web/time/today.ts'
import { daysBefore } from './trade-query.ts'

/** Days that are offered when none are chosen: a week. */
const USUAL_DAYS = 7

/** Which boxes: by the days of their catch, or by their numbers. In the URL, and without script too. */
export function ChoiceForms() {
  const [params] = useSearchParams()
  const today = useToday()
  const box = params.get('box') ?? ''
  const from = params.get('from') ?? (today && daysBefore(today, USUAL_DAYS - 1))
  const to = params.get('to') ?? today
  return (
    <div className="mb-6 grid items-start gap-6 lg:grid-cols-2">
      <Form key={`${from} ${to}`} aria-label="Boxes by day" className="flex flex-wrap items-end gap-3">
        <div className="min-w-36 flex-1 max-sm:basis-full">
          <InputField label="Caught from" type="date" name="from" required defaultValue={from} />
        </div>
        <div className="min-w-36 flex-1 max-sm:basis-full">
          <InputField label="to" type="date" name="to" required defaultValue={to} />
        </div>
        <Button type="submit" variant="outline">
          Show these days
        </Button>
      </Form>
      <Form key={box} aria-label="Boxes by number" className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <InputField
            label="Or boxes by number"
            name="box"
            required
            defaultValue={box.replaceAll(',', ' ')}
            placeholder="separated by spaces"
            autoComplete="off"
          />
        </div>
        <Button type="submit" variant="outline">
          Show
        </Button>
      </Form>
    </div>
  )
}
