export * from './box.ts'
export * from './recipe.ts'
import type { Backend, Sandbox } from './box.ts'
import type { Recipe } from './recipe.ts'
export declare function chooseSandbox(wanted: Backend | 'auto'): Promise<Sandbox>
export declare function readDockerfile(file: string, context: string): Recipe
