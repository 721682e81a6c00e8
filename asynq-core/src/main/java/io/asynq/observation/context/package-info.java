/**
 * What the contexts of observations are made of.
 */
@NullMarked
package io.asynq.observation.context;

import org.jspecify.annotations.NullMarked;
