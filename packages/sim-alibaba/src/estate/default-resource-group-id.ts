/** Where everything is that names no group; every account has one such. */
export const defaultResourceGroupId = 'rg-acfmdefault0001';
