import { defineTable } from '../store/table.ts';

export type Account = { readonly id: string; readonly name: string; readonly createdOn: string };

export const accounts = defineTable<Account>('accounts');
