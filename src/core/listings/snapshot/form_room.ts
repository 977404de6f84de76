/** How many photos and videos our form of a listing has room for. */
export const FORM_IMAGES = 10;
export const FORM_VIDEOS = 1;
