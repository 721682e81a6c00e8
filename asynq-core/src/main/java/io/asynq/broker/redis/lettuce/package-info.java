/**
 * Classes that need Lettuce, loaded only where it is on the class path.
 */
@NullMarked
package io.asynq.broker.redis.lettuce;

import org.jspecify.annotations.NullMarked;
