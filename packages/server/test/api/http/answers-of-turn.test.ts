import { expect, test } from 'vitest'
import { answersOfTurn } from '../../../src/api/http/answers-of-turn.ts'

function heldAnswers() {
  const turns: (() => void)[] = []
  const written: number[] = []
  const answers = answersOfTurn((call) => turns.push(call))
  return { turns, written, answer: (number: number) => answers.add(() => void written.push(number)) }
}

test('answers of one turn of the event loop are written together at its end, in their order', () => {
  const { turns, written, answer } = heldAnswers()
  for (const number of [1, 2, 3]) answer(number)
  expect(written).toEqual([])
  expect(turns).toHaveLength(1)
  turns[0]?.()
  expect(written).toEqual([1, 2, 3])
  answer(4)
  expect(turns).toHaveLength(2)
})

test('in a long turn the first answers do not wait for all others', () => {
  const { turns, written, answer } = heldAnswers()
  for (let number = 0; number < 70; number++) answer(number)
  expect(written).toHaveLength(64)
  for (const turn of turns) turn()
  expect(written).toHaveLength(70)
})
