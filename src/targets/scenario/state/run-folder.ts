import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRegular, writeWhole } from '../../../util/files.ts'
import { costsFile } from '../files/costs-file.ts'
import { firstLines, linesOfTurn } from '../files/log-lines.ts'
import { metricsFile } from '../files/metrics-file.ts'
import { type Standing, type StateParts, stateFile, wholeStateFile } from '../files/state-file.ts'
import { filesOfTurn, initialFile, summaryFile, type TurnFile } from '../files/turn-files.ts'
import { numbered, type PlayedTurns, type StateHead, stateHead, type TurnRecord, turnRecord } from './state.ts'

const running: Standing = { status: 'running', halt_reason: null, success: null }

/**
 * Writes what is known before the first turn that is played now. The parts that determine where the next attempt
 * continues come first, so that a crash can hardly lose turns.
 */
export function beginFolder(dir: string, played: PlayedTurns, parts: StateParts): void {
  mkdirSync(join(dir, 'turns'), { recursive: true })
  for (const record of played.turns) saveTurn(dir, record)
  saveHead(dir, played, parts)
  write(dir, [
    initialFile(played, parts.scenario),
    ...played.turns.flatMap(record => filesOfTurn(record, parts.scenario)),
  ])
  writeFileSync(logIn(dir), textOf([...firstLines(parts.scenario, played), ...played.turns.flatMap(linesOfTurn)]))
}

/** Adds a turn. It counts once it is in `scenario-state.json`, which is written last and atomically. */
export function addTurn(dir: string, record: TurnRecord, played: PlayedTurns, parts: StateParts): void {
  write(dir, filesOfTurn(record, parts.scenario))
  saveTurn(dir, record)
  appendFileSync(logIn(dir), textOf(linesOfTurn(record)))
  saveHead(dir, played, parts)
}

/** The files about the whole run, once it has ended or was cut short. */
export function endFolder(
  dir: string,
  played: PlayedTurns,
  parts: StateParts,
  standing: Standing,
  lastLine: string,
): void {
  const summary = summaryFile(played, parts.scenario)
  write(dir, summary === null ? [] : [summary])
  writeWhole(join(dir, 'metrics.json'), pretty(metricsFile(played, parts.scenario, standing.success)))
  writeWhole(join(dir, 'costs.json'), pretty(costsFile(played, parts.scenario)))
  appendFileSync(logIn(dir), `${lastLine.replaceAll(/\s*[\r\n]+\s*/g, ' ')}\n`)
  writeWhole(join(dir, 'scenario-state.json'), pretty(wholeStateFile(played, parts, standing)))
}

/** The complete turns in a run's folder; null: it contains no such run, or not even its beginning. */
export function readFolder(dir: string): { readonly head: StateHead; readonly turns: readonly TurnRecord[] } | null {
  const head = parsed(stateHead, join(dir, 'scenario-state.json'))
  if (head === null) return null
  const turns: TurnRecord[] = []
  for (let turn = 1; turn <= head.current_turn; turn++) {
    const record = parsed(turnRecord, turnFile(dir, turn))
    if (record === null || record.turn !== turn) break
    turns.push(record)
  }
  return { head, turns }
}

function parsed<T>(schema: { safeParse(data: unknown): { success: boolean; data?: T } }, file: string): T | null {
  try {
    return schema.safeParse(JSON.parse(readRegular(file) ?? 'null')).data ?? null
  } catch {
    return null
  }
}

const saveTurn = (dir: string, record: TurnRecord): void =>
  writeWhole(turnFile(dir, record.turn), `${JSON.stringify(record, null, 1)}\n`)

const saveHead = (dir: string, played: PlayedTurns, parts: StateParts): void =>
  writeWhole(join(dir, 'scenario-state.json'), pretty(stateFile(played, parts, running)))

function write(dir: string, files: readonly TurnFile[]): void {
  for (const { name, text } of files) {
    // An interrupted turn may have left an incomplete file.
    rmSync(join(dir, name), { force: true })
    writeFileSync(join(dir, name), text)
  }
}

const turnFile = (dir: string, turn: number): string => join(dir, 'turns', `${numbered(turn)}.json`)
const logIn = (dir: string): string => join(dir, 'scenario.log')
const textOf = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')
const pretty = (data: object): string => `${JSON.stringify(data, null, 2)}\n`
