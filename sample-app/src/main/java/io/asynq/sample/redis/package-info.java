/**
 * An embedded Redis for when no other is configured: plumbing of the sample, nothing an
 * application needs.
 */
@NullMarked
package io.asynq.sample.redis;

import org.jspecify.annotations.NullMarked;
