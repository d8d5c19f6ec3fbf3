import type { LanguageModel } from 'ai'

/** A model as the AI SDK's own specification has it: what all provider packages make. */
export type SdkModel = Extract<LanguageModel, { specificationVersion: 'v4' }>
export type SdkCallOptions = Parameters<SdkModel['doGenerate']>[0]
export type SdkResult = Awaited<ReturnType<SdkModel['doGenerate']>>
export type SdkStream = Awaited<ReturnType<SdkModel['doStream']>>
export type SdkStreamPart = SdkStream['stream'] extends ReadableStream<infer Part> ? Part : never
export type SdkUsage = SdkResult['usage']
export type SdkFinish = SdkResult['finishReason']
export type SdkWarning = SdkResult['warnings'][number]
