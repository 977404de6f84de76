import { picture } from './replies.js';

/** A picture that is not available now may be available soon. */
const KEPT_S = 10;

const DRAWING = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" fill="#b8aea2" fill-opacity=".25"/><path d="M12 33l8-10 5 6 4-4 7 8z" fill="#8a8076"/><circle cx="31" cy="17" r="3" fill="#8a8076"/></svg>`,
);

/** A drawing instead of a picture that is not available. */
export const showPlaceholder = () => picture(DRAWING, 'image/svg+xml', KEPT_S);
