import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

declare const config: { readonly forbidden: readonly IForbiddenRuleType[]; readonly options: ICruiseOptions };
export default config;
