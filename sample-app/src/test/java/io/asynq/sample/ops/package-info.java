/**
 * The shipped alerts and dashboard in front of a sample that is in trouble.
 */
@NullMarked
package io.asynq.sample.ops;

import org.jspecify.annotations.NullMarked;
