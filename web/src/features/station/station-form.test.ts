import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendableName, stationForm } from './station-form.ts'

const files = [
  { id: 4, name: 'a' },
  { id: 7, name: 'b' },
]
const typed = {
  box: 'BOX-1',
  operator: ' E-eye 2 ',
  time: '2026-11-20T09:30',
  latitude: '',
  longitude: '',
  score: '0.2',
  confidence: '97 %',
}

test('what is typed at an e-eye is a result; a picture has what is typed for it, else what the whole has', () => {
  const values = {
    ...typed,
    fish: 'Snapper',
    eye: 'clear',
    skin: '0.1',
    'eye-7': 'cloudy',
    'confidence-7': '0.5',
  }
  assert.deepEqual(stationForm('image', files).parse(values), {
    box: 'BOX-1',
    result: {
      operator: 'E-eye 2',
      time: '2026-11-20 09:30:00',
      latitude: 0,
      longitude: 0,
      imgScore: 0.2,
      overallResult: { fish: 'Snapper', confidence: 0.97, eye: 'clear', skin: 0.1 },
      resultPerImage: [
        { image: 'a', fish: 'Snapper', confidence: 0.97, eye: 'clear', skin: 0.1 },
        { image: 'b', fish: 'Snapper', confidence: 0.5, eye: 'cloudy', skin: 0.1 },
      ],
    },
  })
})

test('what is typed at an e-nose is a result of its tests', () => {
  const { result } = stationForm('enose', files).parse({
    ...typed,
    latitude: '-33.9',
    longitude: '151.2',
    'score-4': '0',
  })
  assert.deepEqual(result, {
    operator: 'E-eye 2',
    time: '2026-11-20 09:30:00',
    latitude: -33.9,
    longitude: 151.2,
    noseScore: 0.2,
    confidence: 0.97,
    resultPerTest: [
      { noseScore: 0, confidence: 0.97, sensingData: 'a' },
      { noseScore: 0.2, confidence: 0.97, sensingData: 'b' },
    ],
  })
})

test('what is wrong is said at its field', () => {
  const wrong = (values: object) =>
    stationForm('enose', files)
      .safeParse(values)
      .error?.issues.map(({ path }) => path.join('.'))
  assert.deepEqual(wrong({ ...typed, operator: '', score: '', time: 'x', latitude: '-33' }), [
    'operator',
    'time',
    'longitude',
    'score',
  ])
  for (const score of ['1.2', '-0.1', 'fresh', '0,2', '120 %', '%'])
    assert.deepEqual(wrong({ ...typed, 'score-7': score }), ['score-7'], score)
})

test('files of one name are sent under two, and none as an address', () => {
  assert.equal(sendableName('image.jpg', []), 'image.jpg')
  assert.equal(sendableName('image.jpg', ['image.jpg', 'image 2.jpg']), 'image 3.jpg')
  assert.equal(sendableName('data:text/x.csv', []), 'data-text-x.csv')
  assert.equal(sendableName('', []), 'file')
})
