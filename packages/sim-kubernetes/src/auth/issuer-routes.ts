import type { NonResourceRoute } from '../http/api-request.ts';
import { checkTakes } from '../http/negotiate.ts';
import { respondText } from '../http/respond.ts';
import type { TokenIssuer } from './token-issuer.ts';

const keysPath = '/openid/v1/jwks';

/** By these anybody can check tokens of ServiceAccounts without asking the server about each. */
export function createIssuerRoutes(issuer: TokenIssuer, address: () => string): readonly NonResourceRoute[] {
  const configuration = (): string =>
    JSON.stringify({
      issuer: issuer.issuer,
      jwks_uri: `https://${address()}${keysPath}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  return [
    route('/.well-known/openid-configuration', 'application/json', configuration),
    route(keysPath, 'application/jwk-set+json', () => JSON.stringify(issuer.keys())),
  ];
}

function route(path: string, type: string, body: () => string): NonResourceRoute {
  const handle: NonResourceRoute['handle'] = (request) => {
    checkTakes(request, type);
    return respondText(200, body(), type);
  };
  return { path, getOnly: true, handle };
}
