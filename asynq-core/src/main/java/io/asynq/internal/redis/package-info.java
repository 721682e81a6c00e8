@NullMarked
package io.asynq.internal.redis;

import org.jspecify.annotations.NullMarked;
