/**
 * What needs scripts, keys and messages themselves, in the package that has them: they
 * are nobody's else.
 */
@NullMarked
package io.asynq.broker.redis;

import org.jspecify.annotations.NullMarked;
