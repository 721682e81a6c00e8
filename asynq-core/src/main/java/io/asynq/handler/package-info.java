/**
 * What handlers are, what they are given, and what they throw.
 */
@NullMarked
package io.asynq.handler;

import org.jspecify.annotations.NullMarked;
