import { imagesOf, withoutImages } from './images.js';
import { property } from './own.js';
import type { ModelPort } from './types/model.js';

/** What the core reads of a model. */
export type Abilities = Pick<ModelPort, 'contextTokens' | 'images'>;

/** Words of services about images that they do not take. */
const IMAGE = /image|vision|multimodal|content.{0,20}must be a string/i;

/** Words of services whose model takes no image at all. */
const NO_IMAGES = /support|vision|multimodal|not enabled|at most 0|unknown variant|must be a string/i;

/** Statuses with another reason. */
const OTHER = [401, 402, 403, 408, 429];

/**
 * The port with its abilities. A request whose images are refused is sent again without them, because the images would stay in the
 * conversation. If the model takes none, the requests after it have none, either.
 */
export function withAbilities(complete: ModelPort, { contextTokens, images }: Abilities): ModelPort {
  let takesImages = true;
  const port: ModelPort = async (request, context) => {
    if (!takesImages || !request.messages.some((message) => imagesOf(message).length > 0)) return complete(withoutImages(request), context);
    try {
      return await complete(request, context);
    } catch (thrown) {
      const message = String(property(thrown, 'message'));
      const status: unknown = property(thrown, 'status');
      if (typeof status !== 'number' || OTHER.includes(status) || !IMAGE.test(message)) throw thrown;
      if (NO_IMAGES.test(message)) takesImages = port.images = false;
      return complete(withoutImages(request), context);
    }
  };
  return Object.assign(port, { images }, contextTokens !== undefined && { contextTokens });
}
