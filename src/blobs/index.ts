export { checkClaim, claimBlobs, createBucketMarker, createFolderMarker, identifyFolder } from './claim.js';
export { createBlobFolder } from './folder.js';
export { createBucket, type Bucket, type BucketOptions } from './s3/bucket.js';
export { createBucketBlobs } from './s3/bucket_blobs.js';
export { probeBucket, tryBucket } from './s3/try_bucket.js';
