/** How the keys of the operator's mark on an address begin. */
export const ownTagPrefix = 'eip-operator/';
