/** Photos and videos that a request can hold. */
export const FORM_IMAGES = 10;
export const FORM_VIDEOS = 1;
