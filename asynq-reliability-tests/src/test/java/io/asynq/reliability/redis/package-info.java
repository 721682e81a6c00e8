@NullMarked
package io.asynq.reliability.redis;

import org.jspecify.annotations.NullMarked;
