/**
 * How people say which tasks they mean.
 */
@NullMarked
package io.asynq.operate.filter;

import org.jspecify.annotations.NullMarked;
