@NullMarked
package io.asynq.internal.redis.driver;

import org.jspecify.annotations.NullMarked;
